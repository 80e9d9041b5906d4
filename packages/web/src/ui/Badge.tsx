import type { ReactNode } from 'react'

/** How a value differs from the live chain. Each has one color everywhere. */
type Difference = 'frozen' | 'drifted' | 'overridden' | 'followed'

export type Tone = 'neutral' | 'accent' | 'good' | 'bad' | 'warn' | Difference

const tones: Record<Tone, string> = {
  neutral: 'bg-raised text-soft',
  accent: 'bg-wash text-accent',
  good: 'bg-good-wash text-good',
  bad: 'bg-bad-wash text-bad',
  warn: 'bg-warn-wash text-warn',
  frozen: 'bg-frozen-wash text-frozen',
  drifted: 'bg-drifted-wash text-drifted',
  overridden: 'bg-overridden-wash text-overridden',
  followed: 'bg-followed-wash text-followed',
}

export function Badge({ tone = 'neutral', title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span
      title={title}
      className={`inline-flex items-center gap-1 whitespace-nowrap rounded px-1.5 py-px font-medium text-2xs ${tones[tone]}`}
    >
      {children}
    </span>
  )
}
