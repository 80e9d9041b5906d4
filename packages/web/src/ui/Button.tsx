import type { ButtonHTMLAttributes } from 'react'

export type ButtonTone = 'primary' | 'plain' | 'quiet' | 'danger'

const tones: Record<ButtonTone, string> = {
  primary: 'bg-accent text-on-accent hover:opacity-90',
  plain: 'border border-line bg-panel text-ink hover:bg-raised',
  quiet: 'text-soft hover:bg-raised hover:text-ink',
  danger: 'border border-line bg-panel text-bad hover:bg-bad-wash',
}

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  tone?: ButtonTone
  /** Shows that the action is in progress, and disables the button. */
  busy?: boolean
}

export function Button({ tone = 'plain', busy = false, className = '', type = 'button', disabled, ...rest }: Props) {
  return (
    <button
      type={type}
      disabled={disabled || busy}
      aria-busy={busy}
      className={`inline-flex h-7 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md px-2.5 font-medium text-xs motion-safe:transition-colors disabled:opacity-50 ${busy ? 'breathes' : ''} ${tones[tone]} ${className}`}
      {...rest}
    />
  )
}
