import { Link } from '@tanstack/react-router'
import { TransactionLink } from '../../../components/HashLink.tsx'
import { formatInteger } from '../../../format/amount.ts'
import { networkUrl } from '../../../location/networkUrl.ts'
import { Button } from '../../../ui/Button.tsx'
import { CopyTextButton } from '../../../ui/CopyButton.tsx'
import { download } from '../../../ui/download.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { runsOf } from '../api/runs.ts'
import { castSimulation, clientSimulation } from '../api/scripts.ts'
import { type SimulationResult, useSend } from '../api/simulate.ts'
import { useSave } from '../api/stored.ts'
import { SimulatedCallPanel } from './SimulatedCallPanel.tsx'
import { SimulationComparison } from './SimulationComparison.tsx'

/** What each call did, and what can be done with it. */
export function SimulationResults({ result }: { result: SimulationResult }) {
  const send = useSend()
  const save = useSave()
  const { hashes = [], failure } = send.data ?? {}
  const { request, simulation } = result
  const { results, failed, isUndone } = simulation
  const count = request.calls.length
  const runs = runsOf(request, simulation)
  return (
    <section aria-label="Result" className="space-y-4">
      <Panel
        padded
        title={outcomeOf(count, failed !== null)}
        note={`in block ${formatInteger(simulation.block.number)}, ${formatInteger(results.reduce((sum, { gasUsed }) => sum + BigInt(gasUsed), 0n))} gas`}
        actions={
          <>
            <CopyTextButton text={clientSimulation(request, networkUrl)}>Copy as script</CopyTextButton>
            <CopyTextButton text={castSimulation(request, networkUrl)}>Copy as cast</CopyTextButton>
            <Button onClick={() => download('simulation.json', JSON.stringify(result, null, 2), 'application/json')}>
              Download JSON
            </Button>
            <Button needs="write" busy={save.isPending} onClick={() => save.mutate(result)}>
              Save
            </Button>
            <Button
              needs="write"
              tone="primary"
              busy={send.isPending}
              disabled={hashes.length === count}
              onClick={() => send.mutate({ result, before: hashes })}
            >
              {sendLabel(count, hashes.length, failed !== null)}
            </Button>
          </>
        }
      >
        <p className="text-soft text-sm">
          {isUndone && 'All calls are undone, because one fails: nothing of what is listed stays. '}
          Nothing was changed. If you send, each call becomes a transaction, without the overrides.
        </p>
        {save.data && (
          <p role="status" className="mt-2 flex flex-wrap gap-x-3 text-sm">
            <span className="text-good">Saved</span>
            {save.data.map((id, index) => (
              <Link key={id} to="/simulation/$id" params={{ id }} className="text-accent hover:underline">
                {count === 1 ? 'Open its page' : `Call ${index + 1}`}
              </Link>
            ))}
          </p>
        )}
        {failure !== undefined && (
          <>
            {count > 1 && (
              <p className="mt-2 text-sm">{`Call ${hashes.length + 1} and those after it were not sent:`}</p>
            )}
            <Problem error={failure} />
          </>
        )}
        {hashes.length > 0 && (
          <p role="status" className="mt-2 flex flex-wrap gap-x-3 text-sm">
            <span className="text-good">Sent</span>
            {hashes.map((hash) => (
              <TransactionLink key={hash} hash={hash} />
            ))}
          </p>
        )}
      </Panel>
      {results.map((call, index) => (
        <SimulatedCallPanel
          // biome-ignore lint/suspicious/noArrayIndexKey: the calls of a simulation have a fixed order
          key={index}
          call={call}
          title={count === 1 ? 'Result' : `Call ${index + 1}`}
        >
          {runs[index] && <SimulationComparison run={runs[index]} />}
        </SimulatedCallPanel>
      ))}
    </section>
  )
}

function outcomeOf(calls: number, fails: boolean): string {
  if (calls === 1) return fails ? 'The call reverts' : 'The call succeeds'
  return fails ? 'A call reverts' : 'Every call succeeds'
}

function sendLabel(calls: number, sent: number, fails: boolean): string {
  if (sent > 0 && sent < calls) return `Send the other ${calls - sent}`
  const all = calls > 1 ? ` all ${calls}` : ''
  return fails ? `Send${all} anyway` : `Send${all}`
}
