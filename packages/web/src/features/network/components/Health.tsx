import { formatCount, formatInteger } from '../../../format/amount.ts'
import { type NetworkInfo, useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { useDrift } from '../../../lib/state/drift.ts'
import { useOverrides } from '../../../lib/state/overrides.ts'
import { Badge, type Tone } from '../../../ui/Badge.tsx'
import { usePool } from '../api/pool.ts'

/** The largest lag of the base, in blocks, that is not shown as a warning. */
const calmLag = 5

/** The state of the network in a word, and how far it differs from the live chain. */
export function Health() {
  const { data: info } = useNetworkInfo()
  const { data: drifted = [] } = useDrift()
  const { data: overrides = [] } = useOverrides()
  const { data: pool = [] } = usePool()
  if (!info) return null
  const { tone, text } = stateOf(info)
  const notes = [
    [pool.length, 'pending'],
    [overrides.filter(({ enabled }) => enabled).length, 'overridden'],
    [drifted.length, 'drifted'],
  ] as const
  return (
    <span role="status" aria-label="Network status" className="flex flex-wrap items-center gap-1.5">
      <Badge tone={tone}>{text}</Badge>
      {info.node && (
        <Badge tone="accent" title={`Node ${info.node.id}. Several nodes share this network.`}>
          {info.node.role === 'sealer' ? 'Sealer' : `Reader, ${formatCount(info.node.behind, 'change')} behind`}
        </Badge>
      )}
      {notes.map(([count, what]) => count > 0 && <Badge key={what}>{`${formatInteger(count)} ${what}`}</Badge>)}
    </span>
  )
}

function stateOf({ upstream, base }: NetworkInfo): { tone: Tone; text: string } {
  if (!upstream) return { tone: 'good', text: 'Healthy, no fork' }
  if (!upstream.reachable) return { tone: 'bad', text: 'Live chain not responding' }
  const lag = upstream.head - base.number
  if (lag > calmLag) return { tone: 'warn', text: `${formatCount(lag, 'block')} behind the live chain` }
  return { tone: 'good', text: 'Healthy' }
}
