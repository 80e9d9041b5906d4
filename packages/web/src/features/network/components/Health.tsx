import { useDrift } from '../../../lib/chain/drift.ts'
import { type NetworkInfo, useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { useOverrides } from '../../../lib/contracts/overrides.ts'
import { formatCount, formatInteger } from '../../../lib/format/amount.ts'
import { Badge, type Tone } from '../../../ui/Badge.tsx'
import { usePool } from '../api/pool.ts'

/** Blocks by which the base may be behind before it is said. */
const calmLag = 5

/** In a word whether all is well, and what of the network is not as the live chain is. */
export function Health() {
  const { data: info } = useNetworkInfo()
  const { data: drifted = [] } = useDrift()
  const { data: overrides = [] } = useOverrides()
  const { data: pool = [] } = usePool()
  if (!info) return null
  const { tone, text } = stateOf(info)
  const notes = [
    [pool.length, 'waiting'],
    [overrides.filter(({ enabled }) => enabled).length, 'overridden'],
    [drifted.length, 'drifted'],
  ] as const
  return (
    <span role="status" aria-label="State of the network" className="flex flex-wrap items-center gap-1.5">
      <Badge tone={tone}>{text}</Badge>
      {info.node && (
        <Badge tone="accent" title={`Node ${info.node.id} of several that share the network`}>
          {info.node.role === 'sealer'
            ? 'this node seals'
            : `this node reads, ${formatCount(info.node.behind, 'change')} behind`}
        </Badge>
      )}
      {notes.map(([count, what]) => count > 0 && <Badge key={what}>{`${formatInteger(count)} ${what}`}</Badge>)}
    </span>
  )
}

function stateOf({ upstream, base }: NetworkInfo): { tone: Tone; text: string } {
  if (!upstream) return { tone: 'good', text: 'All is well: it forks nothing' }
  if (!upstream.reachable) return { tone: 'bad', text: 'The live chain does not answer' }
  const lag = upstream.head - base.number
  if (lag > calmLag) return { tone: 'warn', text: `${formatInteger(lag)} blocks behind the live chain` }
  return { tone: 'good', text: 'All is well' }
}
