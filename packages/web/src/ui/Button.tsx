import type { ButtonHTMLAttributes } from 'react'
import { type Role, useMay } from './role.ts'

export type ButtonTone = 'primary' | 'plain' | 'quiet' | 'danger'

const tones: Record<ButtonTone, string> = {
  primary: 'bg-accent text-on-accent hover:opacity-90',
  plain: 'border border-line bg-panel text-ink hover:bg-raised',
  quiet: 'text-soft hover:bg-raised hover:text-ink',
  danger: 'border border-line bg-panel text-bad hover:bg-bad-wash',
}

/** The look of a button, also for a link that stands beside buttons. */
export const buttonStyle = (tone: ButtonTone): string =>
  `inline-flex h-7 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md px-2.5 font-medium text-xs motion-safe:transition-colors ${tones[tone]}`

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  tone?: ButtonTone
  /** Shows that the action is in progress, and disables the button. */
  busy?: boolean
  /** The role without which there is no such button. */
  needs?: Role
}

export function Button({
  tone = 'plain',
  busy = false,
  className = '',
  type = 'button',
  disabled,
  needs,
  ...rest
}: Props) {
  if (!useMay(needs)) return null
  return (
    <button
      type={type}
      disabled={disabled || busy}
      aria-busy={busy}
      className={`${buttonStyle(tone)} disabled:opacity-50 ${busy ? 'breathes' : ''} ${className}`}
      {...rest}
    />
  )
}
