import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../Icon.tsx'

/** A modal dialog. Escape or a click outside closes it. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    ref.current?.showModal()
    // The browser would focus the button that closes it.
    content.current?.querySelector<HTMLElement>('input, select, textarea, [type=submit]')?.focus()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes a dialog on Escape
    <dialog
      ref={ref}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => event.target === ref.current && ref.current?.close()}
      className="w-[min(36rem,calc(100vw-1.5rem))] rounded-xl border border-line bg-panel p-0 shadow-2xl backdrop:bg-black/50"
    >
      <header className="flex items-center gap-2 border-line border-b px-4 py-2.5">
        <h2 className="font-semibold text-sm">{title}</h2>
        <button
          type="button"
          aria-label="Close"
          onClick={() => ref.current?.close()}
          className="ml-auto grid size-6 place-items-center rounded text-soft hover:bg-raised hover:text-ink"
        >
          <Icon name="close" />
        </button>
      </header>
      <div ref={content} className="p-4">
        {children}
      </div>
    </dialog>
  )
}
