import { Link } from '@tanstack/react-router'
import { formatInteger } from '../../../format/amount.ts'
import { scenarioOfStored } from '../../../lib/simulation/drafts.ts'
import { writeScenario } from '../../../lib/simulation/scenario.ts'
import { networkUrl } from '../../../location/networkUrl.ts'
import { Age } from '../../../ui/Age.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, buttonStyle } from '../../../ui/Button.tsx'
import { CopyTextButton } from '../../../ui/CopyButton.tsx'
import { download } from '../../../ui/download.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type StoredSimulation as Stored, useShare, useStoredSimulation } from '../api/stored.ts'
import { SimulatedCallPanel } from './SimulatedCallPanel.tsx'

/** A simulation as it was saved. It is drawn of what is stored, also while the live chain is away. */
export function StoredSimulation({ id }: { id: string }) {
  const query = useStoredSimulation(id)
  return (
    <>
      <PageTitle
        tab="Simulation"
        title="Simulation"
        note={query.data && <Note stored={query.data} />}
        actions={query.data && <Actions stored={query.data} />}
      />
      <Loaded query={query} what="simulation" rows={10}>
        {(stored) => (
          <>
            <SimulatedCallPanel
              call={stored.result}
              title={stored.status === 'succeeded' ? 'The call succeeds' : 'The call reverts'}
            />
            <Panel title="Request" note="what was simulated, and on what">
              <pre className="hex max-h-80 overflow-auto whitespace-pre-wrap break-all p-3 text-xs">
                {JSON.stringify(stored.request, null, 2)}
              </pre>
            </Panel>
          </>
        )}
      </Loaded>
    </>
  )
}

function Note({ stored: { createdAt, isShared, block } }: { stored: Stored }) {
  return (
    <>
      <span className="number">on block {formatInteger(block.number)}</span>
      <span>
        saved <Age at={Date.parse(createdAt)} />
      </span>
      {isShared && <Badge tone="accent">shared</Badge>}
    </>
  )
}

function Actions({ stored }: { stored: Stored }) {
  const { id, isShared } = stored
  const share = useShare(id)
  return (
    <>
      <CopyTextButton text={`${networkUrl}/simulation/${id}`}>Copy link</CopyTextButton>
      <Button
        needs="write"
        busy={share.isPending}
        title={
          isShared
            ? 'Only the key that saved it can open it then'
            : 'All who may read this network can open it, and it stays'
        }
        onClick={() => share.mutate(!isShared)}
      >
        {isShared ? 'Stop sharing' : 'Share'}
      </Button>
      <Button onClick={() => download('simulation.json', JSON.stringify(stored, null, 2), 'application/json')}>
        Download JSON
      </Button>
      <Link to="/simulate" search={{ s: writeScenario(scenarioOfStored(stored)) }} className={buttonStyle('primary')}>
        Simulate again
      </Link>
    </>
  )
}
