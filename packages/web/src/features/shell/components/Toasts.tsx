import { Link } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { dismissToast, toastStore } from '../../../lib/actions/toasts.ts'
import { Icon } from '../../../ui/Icon.tsx'

export function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get)
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed right-3 bottom-3 left-3 z-50 flex flex-col items-end gap-2"
    >
      {toasts.map(({ id, tone, title, advice, undo, transaction }) => (
        <div
          key={id}
          role={tone === 'bad' ? 'alert' : 'status'}
          className="pointer-events-auto flex max-w-md items-start gap-2 rounded-lg border border-line bg-panel px-3 py-2 shadow-lg"
        >
          <span className={`mt-0.5 ${tone === 'bad' ? 'text-bad' : 'text-good'}`}>
            <Icon name={tone === 'bad' ? 'close' : 'check'} size={14} />
          </span>
          <div className="min-w-0 break-words text-sm">
            {title}
            {advice && <p className="text-soft text-xs">{advice}</p>}
          </div>
          {transaction && (
            <Link
              to="/tx/$hash"
              params={{ hash: transaction }}
              onClick={() => dismissToast(id)}
              className="min-h-6 rounded px-1 font-medium text-accent text-xs leading-6 hover:underline"
            >
              Show
            </Link>
          )}
          {undo && (
            <button
              type="button"
              onClick={() => {
                dismissToast(id)
                undo()
              }}
              className="min-h-6 rounded px-1 font-medium text-accent text-xs hover:underline"
            >
              Undo
            </button>
          )}
          <button
            type="button"
            aria-label="Dismiss"
            onClick={() => dismissToast(id)}
            className="grid size-6 shrink-0 place-items-center rounded text-soft hover:text-ink"
          >
            <Icon name="close" size={12} />
          </button>
        </div>
      ))}
    </div>
  )
}
