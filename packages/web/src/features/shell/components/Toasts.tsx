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
      {toasts.map(({ id, tone, title, advice }) => (
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
          <button
            type="button"
            aria-label="Dismiss"
            onClick={() => dismissToast(id)}
            className="rounded p-0.5 text-soft hover:text-ink"
          >
            <Icon name="close" size={12} />
          </button>
        </div>
      ))}
    </div>
  )
}
