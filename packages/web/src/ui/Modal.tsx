import { type ReactNode, useEffect, useRef } from 'react'

type Props = {
  label: string
  className: string
  onClose: () => void
  /** `close` gives the focus back to what had it. */
  children: (close: () => void) => ReactNode
}

/** What lies over the page. Escape or a click outside closes it. */
export function Modal({ label, className, onClose, children }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    ref.current?.showModal()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog on Escape
    <dialog
      ref={ref}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === ref.current && ref.current?.close()}
      className={`border-line bg-panel p-0 backdrop:bg-black/50 ${className}`}
    >
      {children(() => ref.current?.close())}
    </dialog>
  )
}
