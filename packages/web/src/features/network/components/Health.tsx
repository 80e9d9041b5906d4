import { formatCount, formatInteger } from '../../../format/amount.ts'
import { type Health as HealthState, useHealth } from '../../../lib/chain/health.ts'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { useDrift } from '../../../lib/state/drift.ts'
import { useOverrides } from '../../../lib/state/overrides.ts'
import { Badge, type Tone } from '../../../ui/Badge.tsx'
import { usePool } from '../api/pool.ts'

/** The state of the network in a word, and how far it differs from the live chain. */
export function Health() {
  const { data: info } = useNetworkInfo()
  const health = useHealth()
  const { data: drifted = [] } = useDrift()
  const { data: overrides = [] } = useOverrides()
  const { data: pool = [] } = usePool()
  if (!info) return null
  const { tone, text } = shownAs(health)
  const notes = [
    [pool.length, 'pending', 'neutral'],
    [overrides.filter(({ enabled }) => enabled).length, 'overridden', 'overridden'],
    [drifted.length, 'drifted', 'drifted'],
  ] as const
  return (
    <span role="status" aria-label="Network status" className="flex flex-wrap items-center gap-1.5">
      <Badge tone={tone}>{text}</Badge>
      {info.node && (
        <Badge tone="accent" title={`Node ${info.node.id}. Several nodes share this network.`}>
          {info.node.role === 'sealer' ? 'Sealer' : `Reader, ${formatCount(info.node.behind, 'change')} behind`}
        </Badge>
      )}
      {notes.map(
        ([count, what, tone]) =>
          count > 0 && (
            <Badge key={what} tone={tone}>
              {`${formatInteger(count)} ${what}`}
            </Badge>
          ),
      )}
    </span>
  )
}

function shownAs(health: HealthState): { tone: Tone; text: string } {
  switch (health.state) {
    case 'key required':
      return { tone: 'warn', text: 'API key required' }
    case 'offline':
      return { tone: 'bad', text: 'Not responding' }
    case 'connecting':
      return { tone: 'warn', text: 'Connecting' }
    case 'live chain away':
      return { tone: 'bad', text: 'Detached: live chain not responding' }
    case 'other live chain':
      return { tone: 'bad', text: 'Detached: another chain at the URL' }
    case 'behind':
      return { tone: 'warn', text: `${formatCount(health.blocks, 'block')} behind the live chain` }
    case 'no fork':
      return { tone: 'good', text: 'Healthy, no fork' }
    case 'healthy':
      return { tone: 'good', text: 'Healthy' }
  }
}
