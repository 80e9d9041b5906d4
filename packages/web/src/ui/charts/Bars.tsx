import { useState } from 'react'

export type Bar = {
  /** The description that is shown while the bar is selected. */
  text: string
  value: number
  /** The part of the value that failed. */
  bad?: number
}

type Props = {
  label: string
  bars: readonly Bar[]
  /** Shown while no bar is selected. */
  summary: string
  from: string
  to: string
}

/** Counts over time as bars. The pointer or the arrow keys select one. */
export function Bars({ label, bars, summary, from, to }: Props) {
  const [pointed, setPointed] = useState<number>()
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const move = (step: number) =>
    setPointed((now) => Math.min(bars.length - 1, Math.max(0, (now ?? (step > 0 ? -1 : bars.length)) + step)))
  return (
    <div className="px-3 pt-2 pb-2.5">
      <p aria-live="polite" className="number flex h-6 min-w-0 items-center truncate text-soft text-xs">
        {(pointed !== undefined && bars[pointed]?.text) || summary}
      </p>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, bars.length - 1)}
        aria-valuenow={pointed ?? 0}
        aria-valuetext={(pointed !== undefined && bars[pointed]?.text) || summary}
        onKeyDown={(event) => {
          if (event.key === 'ArrowRight') move(1)
          if (event.key === 'ArrowLeft') move(-1)
          if (event.key === 'Escape') setPointed(undefined)
        }}
        onPointerLeave={() => setPointed(undefined)}
        onBlur={() => setPointed(undefined)}
        className="flex h-28 items-end rounded border-line border-b"
      >
        {bars.map(({ value, bad = 0 }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: bars are in the order of time
            key={index}
            onPointerEnter={() => setPointed(index)}
            className={`flex h-full min-w-0 grow flex-col justify-end px-px ${index === pointed ? 'bg-raised' : ''}`}
          >
            <span
              className="flex min-h-0 flex-col overflow-hidden rounded-t-sm bg-accent"
              style={{ height: value === 0 ? 0 : `${Math.max(3, (value / most) * 100)}%` }}
            >
              {bad > 0 && <span className="mt-auto bg-bad" style={{ height: `${(bad / value) * 100}%` }} />}
            </span>
          </span>
        ))}
      </div>
      <p className="mt-1 flex justify-between text-soft text-xs">
        <span>{from}</span>
        <span>{to}</span>
      </p>
    </div>
  )
}
