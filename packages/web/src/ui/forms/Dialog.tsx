import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../Icon.tsx'
import { Modal } from '../Modal.tsx'

/** A dialog with a title. Its first field has the focus. */
export function Dialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The browser would focus the button that closes it.
    content.current?.querySelector<HTMLElement>('input, select, textarea, [type=submit]')?.focus()
  }, [])
  return (
    <Modal label={title} onClose={onClose} className="w-[min(36rem,calc(100vw-1.5rem))] rounded-xl border shadow-2xl">
      {(close) => (
        <>
          <header className="flex items-center gap-2 border-line border-b px-4 py-2.5">
            <h2 className="font-semibold text-sm">{title}</h2>
            <button
              type="button"
              aria-label="Close"
              onClick={close}
              className="ml-auto grid size-6 place-items-center rounded text-soft hover:bg-raised hover:text-ink"
            >
              <Icon name="close" />
            </button>
          </header>
          <div ref={content} className="p-4">
            {children}
          </div>
        </>
      )}
    </Modal>
  )
}
