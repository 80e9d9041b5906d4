import { formatSpan } from '../../../format/time.ts'
import { type HostedNetwork, isShown, pathOf, useNetworks } from '../../../lib/networks/networks.ts'
import { Age } from '../../../ui/Age.tsx'
import { Badge, type Tone } from '../../../ui/Badge.tsx'
import { buttonStyle } from '../../../ui/Button.tsx'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useRemoveNetwork } from '../api/networks.ts'
import { NetworkForm } from './NetworkForm.tsx'

const tones: Record<HostedNetwork['state'], Tone> = { awake: 'good', waking: 'warn', asleep: 'neutral' }

/** The networks behind this port, to open, make and remove. */
export function NetworkList() {
  const query = useNetworks({ isWatched: true })
  return (
    <Panel>
      <Loaded query={query} what="networks" rows={3}>
        {(networks) => (
          <>
            <NetworkForm />
            {networks.length === 0 ? (
              <Empty title="No networks">
                Those of the configuration file, and those that are made, are listed here.
              </Empty>
            ) : (
              <ul aria-label="Networks" className="divide-y divide-line">
                {networks.map((network) => (
                  <Row key={network.name} network={network} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function Row({ network }: { network: HostedNetwork }) {
  const remove = useRemoveNetwork()
  const { name, state, origin, createdAt, wakeMs, problem } = network
  const isHere = isShown(network)
  return (
    <li className="px-3 py-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="font-medium">{name}</span>
        <Badge tone={tones[state]}>{state}</Badge>
        {isHere && <Badge tone="accent">this network</Badge>}
        <span className="text-soft">
          {createdAt ? (
            <>
              made <Age at={Date.parse(createdAt)} />
            </>
          ) : (
            'of the configuration'
          )}
        </span>
        {wakeMs !== null && <span className="text-soft">woke in {formatSpan(wakeMs)}</span>}
        <span className="ml-auto flex flex-wrap gap-1.5">
          {!isHere && (
            <a href={pathOf(network)} aria-label={`Open ${name}`} className={buttonStyle('plain')}>
              Open
            </a>
          )}
          {!isHere && origin === 'call' && (
            <ConfirmButton
              tone="danger"
              title={`Remove “${name}”?`}
              explanation="Its blocks, its state and its branches are deleted. This cannot be undone."
              busy={remove.isPending}
              onConfirm={() => remove.mutate(network)}
            >
              Remove
            </ConfirmButton>
          )}
        </span>
      </div>
      {problem && <p className="mt-1 break-words text-bad text-xs">{problem}</p>}
    </li>
  )
}
