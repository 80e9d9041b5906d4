import type { ReactNode } from 'react'
import { Account } from '../../../components/Account.tsx'
import { AccountDiffs } from '../../../components/AccountDiffs.tsx'
import { CallFrames } from '../../../components/CallFrames.tsx'
import { TransactionLink } from '../../../components/HashLink.tsx'
import { Values } from '../../../components/Values.tsx'
import { formatInteger } from '../../../format/amount.ts'
import { useToken } from '../../../lib/contracts/token.ts'
import { networkUrl } from '../../../location/networkUrl.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CopyTextButton } from '../../../ui/CopyButton.tsx'
import { download } from '../../../ui/download.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { castSimulation, viemSimulation } from '../api/scripts.ts'
import { type CallResult, type SimulationResult, useSend } from '../api/simulate.ts'
import type { TokenChange } from '../api/tokenChanges.ts'
import { SimulationComparison } from './SimulationComparison.tsx'

/** Rows of a list in a result, at most; the file has all of them. */
const rowLimit = 200

/** What each call returned, emitted and changed. */
export function SimulationResults({ result }: { result: SimulationResult }) {
  const send = useSend()
  const { hashes = [], failure } = send.data ?? {}
  const { calls, request, block } = result
  const fails = calls.some(({ succeeded }) => !succeeded)
  return (
    <section aria-label="Result" className="space-y-4">
      <Panel
        padded
        title={outcomeOf(calls.length, fails)}
        note={`in block ${formatInteger(block)}, ${formatInteger(calls.reduce((sum, { gasUsed }) => sum + gasUsed, 0n))} gas`}
        actions={
          <>
            <CopyTextButton text={viemSimulation(request, networkUrl)}>Copy as viem</CopyTextButton>
            <CopyTextButton text={castSimulation(request, networkUrl)}>Copy as cast</CopyTextButton>
            <Button onClick={() => download('simulation.json', jsonOf(result), 'application/json')}>
              Download JSON
            </Button>
            <Button
              needs="write"
              tone="primary"
              busy={send.isPending}
              disabled={hashes.length === calls.length}
              onClick={() => send.mutate({ calls, before: hashes })}
            >
              {sendLabel(calls.length, hashes.length, fails)}
            </Button>
          </>
        }
      >
        <p className="text-soft text-sm">
          Nothing was stored. If you send, each call becomes a transaction, without the overrides.
        </p>
        {failure !== undefined && (
          <>
            {calls.length > 1 && (
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
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the calls of a simulation have a fixed order
        <CallOutcome key={index} call={call} title={calls.length === 1 ? 'Result' : `Call ${index + 1}`} />
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

function CallOutcome({ call, title }: { call: CallResult; title: string }) {
  const { succeeded, reason, values, output, gasUsed, logs, tokens, trace, diff, run } = call
  return (
    <Panel
      title={title}
      note={
        <span className="flex items-center gap-2">
          <Badge tone={succeeded ? 'good' : 'bad'}>{succeeded ? 'succeeds' : 'reverts'}</Badge>
          {formatInteger(gasUsed)} gas
        </span>
      }
    >
      {reason !== undefined && (
        <p className="max-h-40 overflow-y-auto break-words px-3 py-2 text-bad text-sm">{reason}</p>
      )}
      {values && values.length > 0 && (
        <Section title="Returns">
          <div className="text-sm">
            <Values values={values} />
          </div>
        </Section>
      )}
      {!values && output !== '0x' && (
        <Section title="Return data">
          <p className="hex max-h-40 overflow-y-auto break-all text-xs">{output}</p>
        </Section>
      )}
      {tokens.length > 0 && (
        <Section title="Token balances">
          <ul className="space-y-1">
            {tokens.slice(0, rowLimit).map((change) => (
              <TokenRow key={change.token + change.account} change={change} />
            ))}
          </ul>
        </Section>
      )}
      {Object.keys(diff.post).length > 0 && (
        <Section title="State changes" flush>
          <AccountDiffs diff={diff} />
        </Section>
      )}
      {logs.length > 0 && (
        <Section title={`Events (${formatInteger(logs.length)})`}>
          <ol className="space-y-2">
            {logs.slice(0, rowLimit).map(({ log, event }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the events of a call have a fixed order
              <li key={index} className="grid gap-x-4 text-sm md:grid-cols-[minmax(0,14rem)_minmax(0,1fr)]">
                <span className="min-w-0">
                  <Account address={log.address} />
                  <span className="block truncate font-medium">{event?.name ?? 'unknown event'}</span>
                </span>
                {event ? <Values values={event.values} /> : <span className="hex break-all text-xs">{log.data}</span>}
              </li>
            ))}
          </ol>
        </Section>
      )}
      <Section title="Calls" flush>
        <CallFrames root={trace} />
      </Section>
      <Section title="Why does it differ?">
        <SimulationComparison run={run} />
      </Section>
    </Panel>
  )
}

function Section({ title, flush = false, children }: { title: string; flush?: boolean; children: ReactNode }) {
  return (
    <div className="border-line border-t first:border-t-0">
      <h3 className="px-3 pt-2 font-medium text-soft text-xs">{title}</h3>
      <div className={flush ? '' : 'px-3 py-2'}>{children}</div>
    </div>
  )
}

function TokenRow({ change: { token, account, amount } }: { change: TokenChange }) {
  const { data: known } = useToken(token)
  return (
    <li className="flex flex-wrap items-center gap-x-3 text-sm">
      <Account address={account} />
      <span className={amount < 0n ? 'text-bad' : 'text-good'}>
        {amount > 0n && '+'}
        <Amount value={amount} token={{ symbol: known?.symbol ?? '', decimals: known?.decimals ?? 0 }} />
      </span>
      {!known && <Account address={token} />}
    </li>
  )
}

const jsonOf = (result: SimulationResult): string =>
  JSON.stringify(result, (_, value) => (typeof value === 'bigint' ? value.toString() : value), 2)
