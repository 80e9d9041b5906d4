import { useMemo, useState } from 'react'
import { formatCount, formatInteger, formatPercent } from '../../../../format/amount.ts'
import { FlameGraph } from '../../../../ui/charts/FlameGraph.tsx'
import { Panel } from '../../../../ui/Panel.tsx'
import type { CallGas, GasLocation, GasProfile } from '../../api/gas.ts'
import { GasLocationText } from './GasLocationText.tsx'

/** The calls of contracts and functions, by their gas. */
export function GasFlames({
  profile,
  onLocation,
}: {
  profile: GasProfile
  onLocation: (location: GasLocation) => void
}) {
  const { calls } = profile
  const [index, setIndex] = useState(0)
  const flames = useMemo(() => {
    const contracts = [...new Set(calls.map(({ address }) => address))]
    return calls.map((call) => ({
      parent: call.parent,
      label: labelOf(call),
      total: call.total,
      group: contracts.indexOf(call.address),
    }))
  }, [calls])
  const chosen = calls[index] ?? calls[0]
  if (!chosen) return null
  const whole = calls[0]?.total ?? 0
  return (
    <Panel title="Calls and functions" note="Choose one to enlarge it and to see its line" padded>
      <FlameGraph
        label="Gas by call and function"
        flames={flames}
        chosen={index}
        onChoose={(next) => {
          setIndex(next)
          const call = calls[next]
          if (call?.file) onLocation(call)
        }}
        format={(gas) => `${formatInteger(gas)} gas`}
      />
      <p className="mt-2 flex flex-wrap items-baseline gap-x-3 gap-y-1 text-xs" role="status">
        <GasLocationText location={chosen} />
        <span className="number">
          {formatInteger(chosen.total)} gas ({formatPercent(Math.max(0, chosen.total), Math.max(1, whole))})
        </span>
        <span className="number text-soft">{formatInteger(chosen.gas)} of its own</span>
        <span className="text-soft">
          {chosen.calls === 0 ? 'moved into its caller by the compiler' : formatCount(chosen.calls, 'call')}
        </span>
      </p>
    </Panel>
  )
}

/** The contract of a call and its function, or the function alone. */
function labelOf({ type, contract, address, function: name }: CallGas): string {
  if (type === 'FUNCTION') return name ?? 'function'
  const called = contract ?? `${address.slice(0, 8)}…`
  if (type === 'CREATE' || type === 'CREATE2') return `new ${called}`
  return name === null ? called : `${called}.${name}`
}
