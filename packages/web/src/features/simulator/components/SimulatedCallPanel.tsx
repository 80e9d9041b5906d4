import { failureText, type SimulatedCall } from '@understudy/client/simulations'
import type { ReactNode } from 'react'
import { Values } from '../../../components/Values.tsx'
import { formatCount, formatGwei, formatInteger } from '../../../format/amount.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { CopyTextButton } from '../../../ui/CopyButton.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Approvals, AssetChanges, BalanceChanges, Party, unitOf } from './SimulatedAssets.tsx'
import { SimulatedFrames } from './SimulatedFrames.tsx'
import { SimulatedState } from './SimulatedState.tsx'

/** Rows of a list, at most; the file has all of them. */
const rowLimit = 200

/** What one call did: what moved first, then who may take what, then everything else. */
export function SimulatedCallPanel({
  call,
  title,
  children,
}: {
  call: SimulatedCall
  title: string
  children?: ReactNode
}) {
  const {
    assetChanges,
    approvals,
    balanceChanges,
    error,
    returned,
    output,
    stateChanges,
    logs,
    accessList,
    truncated,
  } = call
  const succeeded = call.status === 'succeeded'
  const moves = assetChanges.slice(0, rowLimit)
  return (
    <Panel title={title} note={<Verdict call={call} />}>
      {moves.length > 0 && (
        <Section title={titleOf('Asset changes', assetChanges.length)} flush>
          <AssetChanges call={call} changes={moves} />
        </Section>
      )}
      {succeeded && moves.length === 0 && <p className="px-3 py-2 text-soft text-sm">No asset moves.</p>}
      <TokenProblems call={call} />
      {approvals.length > 0 && (
        <Section title={titleOf('Approvals that stay', approvals.length)} flush>
          <Approvals call={call} approvals={approvals.slice(0, rowLimit)} />
        </Section>
      )}
      {balanceChanges.length > 0 && (
        <Section title="Balance changes by address" flush>
          <BalanceChanges call={call} />
        </Section>
      )}
      {error && <Failure call={call} error={error} />}
      {returned && returned.length > 0 && (
        <Section title="Returns">
          <div className="text-sm">
            <Values values={returned} />
          </div>
        </Section>
      )}
      {!returned && output !== '0x' && (
        <Section title="Return data">
          <p className="hex max-h-40 overflow-y-auto break-all text-xs">{output}</p>
        </Section>
      )}
      {stateChanges.length > 0 && (
        <Section title="State changes" flush>
          <SimulatedState call={call} />
        </Section>
      )}
      {logs.length > 0 && (
        <Section title={titleOf('Events', logs.length)}>
          <Logs call={call} />
        </Section>
      )}
      <Section title={titleOf('Calls', call.frames.length)} flush>
        <SimulatedFrames call={call} />
      </Section>
      <Section title="Gas and fee" flush>
        <Fee call={call} />
      </Section>
      {accessList.length > 0 && (
        <Section title="Access list">
          <AccessList call={call} />
        </Section>
      )}
      {truncated.length > 0 && (
        <p className="border-line border-t px-3 py-2 text-soft text-xs">Left out: {truncated.join('; ')}</p>
      )}
      {children && <Section title="Why does it differ?">{children}</Section>}
    </Panel>
  )
}

const titleOf = (title: string, count: number) => (count > 1 ? `${title} (${formatInteger(count)})` : title)

function Verdict({ call }: { call: SimulatedCall }) {
  const { status, gasUsed, message, function: fn } = call
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone={status === 'succeeded' ? 'good' : 'bad'}>{status === 'succeeded' ? 'succeeds' : 'reverts'}</Badge>
      <Party call={call} address={message.from} />
      <span>{message.to === null ? 'creates a contract' : message.input === '0x' ? 'sends to' : 'calls'}</span>
      {message.to !== null && <Party call={call} address={message.to} />}
      {fn && <span className="hex font-medium text-ink">{fn.name}</span>}
      {message.value !== '0' && <Amount value={BigInt(message.value)} />}
      <span className="number">{formatInteger(BigInt(gasUsed))} gas</span>
    </span>
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

/** Tokens that do not do what their standard says. */
function TokenProblems({ call }: { call: SimulatedCall }) {
  const found = call.contracts.flatMap(({ address, token }) =>
    (token?.problems ?? []).map((problem) => ({ address, problem })),
  )
  if (found.length === 0) return null
  return (
    <ul aria-label="Warnings" className="border-line border-t bg-warn-wash px-3 py-2 text-sm text-warn">
      {found.slice(0, 20).map(({ address, problem }) => (
        <li key={address + problem} className="flex flex-wrap items-baseline gap-x-2">
          <Party call={call} address={address} />
          <span className="min-w-0 break-words">{problem}</span>
        </li>
      ))}
    </ul>
  )
}

function Failure({ call, error }: { call: SimulatedCall; error: NonNullable<SimulatedCall['error']> }) {
  return (
    <div role="note" className="border-line border-t bg-bad-wash px-3 py-2 text-sm first:border-t-0">
      <p className="max-h-40 overflow-y-auto break-words text-bad first-letter:uppercase">{failureText(error)}</p>
      {error.decoded?.args && error.decoded.args.length > 0 && (
        <div className="mt-1.5 text-xs">
          <Values values={error.decoded.args} />
        </div>
      )}
      {error.stack.length > 0 && (
        <ol aria-label="Stack trace" className="mt-1.5 space-y-1">
          {error.stack.map(({ file, line, function: name, contract, address }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a stack trace has a fixed order
            <li key={index} className="flex flex-wrap items-baseline gap-x-2">
              <span className="text-soft">at</span>
              <code className="break-all font-medium">{name ?? contract ?? 'unknown function'}</code>
              {file === null || line === null ? (
                <span className="text-xs">
                  <Party call={call} address={address} />
                </span>
              ) : (
                <code className="break-all text-soft text-xs">
                  {file}:{line}
                </code>
              )}
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function Logs({ call }: { call: SimulatedCall }) {
  return (
    <ol aria-label="Events" className="space-y-2">
      {call.logs.slice(0, rowLimit).map(({ address, event, data }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the events of a call have a fixed order
        <li key={index} className="grid gap-x-4 text-sm md:grid-cols-[minmax(0,14rem)_minmax(0,1fr)]">
          <span className="min-w-0">
            <Party call={call} address={address} />
            <span className="block truncate font-medium">{event?.name ?? 'unknown event'}</span>
          </span>
          {event?.args ? (
            <Values values={event.args} unit={unitOf(call, address)} />
          ) : (
            <span className="hex break-all text-xs">{data}</span>
          )}
        </li>
      ))}
    </ol>
  )
}

function Fee({ call }: { call: SimulatedCall }) {
  const { gasUsed, gasRefund, sufficientGas, message, fee } = call
  return (
    <Facts
      rows={[
        [
          'Gas used',
          <span key="gas" className="number">
            {formatInteger(BigInt(gasUsed))}
            {gasRefund !== '0' && (
              <span className="text-soft"> after a refund of {formatInteger(BigInt(gasRefund))}</span>
            )}
          </span>,
        ],
        sufficientGas !== null && [
          'Gas limit that suffices',
          <span key="limit" className="number">
            {formatInteger(BigInt(sufficientGas))}
          </span>,
        ],
        [
          'Gas limit',
          <span key="given" className="number">
            {formatInteger(BigInt(message.gas))}
          </span>,
        ],
        ['Gas price', `${formatGwei(BigInt(fee.gasPrice))}, of which base fee ${formatGwei(BigInt(fee.baseFee))}`],
        fee.l1 !== null && ['Fee of the layer below', <Amount key="l1" value={BigInt(fee.l1)} />],
        fee.blobs !== '0' && ['Fee for blobs', <Amount key="blobs" value={BigInt(fee.blobs)} />],
        [
          'Fee',
          <span key="fee" className="flex flex-wrap items-baseline gap-x-2">
            <Amount value={BigInt(fee.total)} />
            {!fee.isCharged && <span className="text-soft text-xs">not paid here: the call names no price</span>}
          </span>,
        ],
      ]}
    />
  )
}

function AccessList({ call }: { call: SimulatedCall }) {
  const { accessList } = call
  const slots = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0)
  return (
    <details>
      <summary className="min-h-6 cursor-pointer text-sm">
        {formatCount(accessList.length, 'account')}, {formatCount(slots, 'slot')}
      </summary>
      <div className="my-2">
        <CopyTextButton text={JSON.stringify(accessList)}>Copy as JSON</CopyTextButton>
      </div>
      <ul className="space-y-1 text-sm">
        {accessList.slice(0, rowLimit).map(({ address, storageKeys }) => (
          <li key={address}>
            <Party call={call} address={address} />
            <ul className="hex text-soft text-xs">
              {storageKeys.slice(0, rowLimit).map((key) => (
                <li key={key} className="break-all">
                  {key}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </details>
  )
}
