import { formatBytes, formatCount, formatInteger } from '../../../format/amount.ts'
import { Meter } from '../../../ui/charts/Meter.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useUpstreamUsage } from '../api/upstreamUsage.ts'

const shown = 8

/** The requests to the live chain, by method. */
export function UpstreamCost() {
  const { data: usage } = useUpstreamUsage()
  if (!usage) return null
  const methods = Object.entries(usage.methods).sort(([, a], [, b]) => b.calls - a.calls)
  const most = methods[0]?.[1].calls ?? 0
  return (
    <Panel
      title="Requests to the live chain"
      note={`${formatCount(usage.httpRequests, 'request')}, ${formatBytes(usage.bytesReceived)} received`}
    >
      <ul className="divide-y divide-line">
        {methods.slice(0, shown).map(([name, { calls, retries, errors }]) => (
          <li key={name} className="flex h-8 items-center gap-3 px-3 text-xs">
            <span className="hex w-56 min-w-0 shrink truncate" title={name}>
              {name}
            </span>
            <Meter value={calls} max={most} label={formatCount(calls, 'call')} />
            {errors + retries > 0 && (
              <span
                className="number whitespace-nowrap text-warn"
                title={`${formatCount(errors, 'error')}, ${formatCount(retries, 'retry', 'retries')}`}
              >
                {formatInteger(errors + retries)} failed
              </span>
            )}
            <span className="number w-14 text-right">{formatInteger(calls)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
