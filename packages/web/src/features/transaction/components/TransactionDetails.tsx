import { type ReactNode, useState } from 'react'
import { type Address, type Hex, hexToNumber, size } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { BlockLink } from '../../../components/HashLink.tsx'
import { Values } from '../../../components/Values.tsx'
import { formatBytes, formatGwei, formatInteger, formatPercent } from '../../../format/amount.ts'
import { formatDateTime, millisFrom } from '../../../format/time.ts'
import { commonAbis, decodeCall } from '../../../lib/abi/decode.ts'
import { methodLabel } from '../../../lib/abi/selectors.ts'
import { l1FeeOf } from '../../../lib/chain/block.ts'
import { useDecoded } from '../../../lib/chain/decoded.ts'
import { Age } from '../../../ui/Age.tsx'
import { Amount } from '../../../ui/Amount.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { type TransactionDetails as Details, useTransaction } from '../api/transaction.ts'
import { CallTree } from './CallTree.tsx'
import { Comparison } from './Comparison.tsx'
import { ConsoleLogs } from './ConsoleLogs.tsx'
import { DebugView } from './DebugView.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { FailureReason } from './FailureReason.tsx'
import { FrameTransaction } from './FrameTransaction.tsx'
import { GasView } from './gas/GasView.tsx'
import { Headline } from './Headline.tsx'
import { Logs } from './Logs.tsx'
import { AddNote, NotePanel } from './NotePanel.tsx'
import { StateChanges } from './StateChanges.tsx'
import { Transfers } from './Transfers.tsx'

type Props = {
  hash: Hex
  tab: string | undefined
  onTab: (tab: string) => void
  /** What it, or its gas, is compared with: a transaction, or as `Comparison` says. */
  other: string | undefined
  onOther: (other: string | undefined) => void
}

/** One transaction: its input, its calls and its effects. */
export function TransactionDetails({ hash, tab = 'calls', onTab, other, onOther }: Props) {
  const query = useTransaction(hash)
  return (
    <Loaded query={query} what="transaction" rows={10}>
      {(details) => {
        if (!details)
          return (
            <Panel>
              <Empty title="Transaction not found">
                No transaction on this network, or on the live chain before the fork, has the hash {hash}.
              </Empty>
            </Panel>
          )
        const { transaction, receipt, timestamp, isCall } = details
        const isSealed = transaction.blockNumber !== null
        return (
          <>
            <PageTitle
              tab={`Transaction ${hash.slice(0, 10)}`}
              title={<Headline hash={hash} transaction={transaction} isCall={isCall} />}
              actions={
                <>
                  {isSealed && <AddNote hash={hash} />}
                  {isCall && <ExportMenu transaction={transaction} />}
                </>
              }
              note={
                <>
                  <Status details={details} />
                  {timestamp !== undefined && <Age at={millisFrom(timestamp)} />}
                </>
              }
            />
            <NotePanel hash={hash} />
            <Summary details={details} />
            {!isCall && <Frames hash={hash} />}
            <ConsoleLogs hash={hash} />
            <Tabs
              label="Transaction details"
              chosen={tab}
              onChoose={onTab}
              tabs={[
                { id: 'calls', name: 'Trace' },
                { id: 'transfers', name: 'Transfers' },
                { id: 'logs', name: 'Events', count: receipt?.logs.length ?? 0 },
                { id: 'state', name: 'State changes' },
                ...(isSealed && isCall
                  ? [
                      { id: 'gas', name: 'Gas' },
                      { id: 'debug', name: 'Debug' },
                      { id: 'compare', name: 'Compare' },
                    ]
                  : []),
              ]}
            />
            {tab === 'calls' && <CallTree hash={hash} isSealed={isSealed} />}
            {tab === 'transfers' && <Transfers hash={hash} />}
            {tab === 'logs' && <Logs hash={hash} logs={receipt?.logs ?? []} />}
            {tab === 'state' && <StateChanges hash={hash} isSealed={isSealed} />}
            {tab === 'gas' && isSealed && <GasView hash={hash} other={other} onOther={onOther} />}
            {tab === 'debug' && isSealed && <DebugView hash={hash} />}
            {tab === 'compare' && isSealed && <Comparison hash={hash} against={other ?? 'live'} onAgainst={onOther} />}
          </>
        )
      }}
    </Loaded>
  )
}

function Status({ details: { transaction, receipt } }: { details: Details }) {
  if (transaction.blockNumber === null) return <Badge tone="warn">pending</Badge>
  if (!receipt?.status) return <Badge tone="neutral">in a block</Badge>
  return receipt.status === 'success' ? <Badge tone="good">succeeded</Badge> : <Badge tone="bad">reverted</Badge>
}

function Frames({ hash }: { hash: Hex }) {
  const { data: decoded } = useDecoded(hash)
  return decoded?.frameTransaction ? <FrameTransaction transaction={decoded.frameTransaction} /> : null
}

function Summary({ details: { transaction, receipt, timestamp, isCall } }: { details: Details }) {
  const { hash, from, to, value, input, nonce, gas, typeHex, blockNumber, maxFeePerGas, maxPriorityFeePerGas } =
    transaction
  const { data: decoded } = useDecoded(hash)
  const common = to && input !== '0x' ? decodeCall(commonAbis, input) : undefined
  const call = decoded?.function ? { name: decoded.function.name, values: decoded.function.args ?? [] } : common
  const l1Fee = receipt && l1FeeOf(receipt)
  const fee = receipt ? receipt.gasUsed * receipt.effectiveGasPrice : undefined
  const created = receipt?.contractAddress
  return (
    <Panel>
      {receipt?.status === 'reverted' && <FailureReason hash={hash} />}
      <dl className="flex flex-wrap gap-x-8 gap-y-2 px-3 py-2.5">
        {from && (
          <Fact name="From">
            <Account address={from} copy />
          </Fact>
        )}
        {isCall && (
          <Fact name={to ? 'To' : 'Creates'}>
            {to || created ? <Account address={(to ?? created) as Address} copy /> : 'a contract'}
          </Fact>
        )}
        {value > 0n && (
          <Fact name="Value">
            <Amount value={value} />
          </Fact>
        )}
        {blockNumber !== null && (
          <Fact name="Block">
            <BlockLink number={blockNumber} />
          </Fact>
        )}
        {receipt && <Fact name="Gas used">{formatInteger(receipt.gasUsed)}</Fact>}
        {fee !== undefined && (
          <Fact name="Fee">
            <Amount value={fee} />
          </Fact>
        )}
      </dl>
      <details className="border-line border-t text-sm">
        <summary className="min-h-8 cursor-pointer px-3 py-1.5 text-soft">Hash, input, fees and nonce</summary>
        <Facts
          rows={[
            [
              'Hash',
              <span key="hash" className="hex break-all">
                {hash} <CopyButton text={hash} what="hash" />
              </span>,
            ],
            timestamp !== undefined && ['Time', formatDateTime(millisFrom(timestamp))],
            isCall && [
              'Input',
              <Input key="input" input={input} method={call?.name ?? methodLabel(to, input)}>
                {call && <Values values={call.values} />}
              </Input>,
            ],
            isCall &&
              (receipt
                ? [
                    'Gas used',
                    `${formatInteger(receipt.gasUsed)} of ${formatInteger(gas)} (${formatPercent(receipt.gasUsed, gas)})`,
                  ]
                : ['Gas limit', formatInteger(gas)]),
            receipt && ['Gas price', formatGwei(receipt.effectiveGasPrice)],
            l1Fee !== undefined && ['Fee on L1', <Amount key="l1Fee" value={l1Fee} />],
            maxFeePerGas !== undefined && [
              'Max fee',
              `${formatGwei(maxFeePerGas)}, priority fee ${formatGwei(maxPriorityFeePerGas ?? 0n)}`,
            ],
            ['Nonce', formatInteger(nonce)],
            ['Type', hexToNumber(typeHex ?? '0x0')],
          ]}
        />
      </details>
    </Panel>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-2xs text-soft">{name}</dt>
      <dd className="text-sm">{children}</dd>
    </div>
  )
}

/** The decoded call, with the raw bytes on request. */
function Input({ input, method, children }: { input: Hex; method: string; children: ReactNode }) {
  const [isRaw, setRaw] = useState(false)
  if (input === '0x') return <span className="text-soft">none</span>
  return (
    <div className="space-y-1.5">
      <div className="flex flex-wrap items-center gap-2">
        <span className="hex font-medium">{method}</span>
        <button
          type="button"
          className="rounded text-accent text-xs hover:underline"
          aria-expanded={isRaw}
          onClick={() => setRaw(!isRaw)}
        >
          {isRaw ? 'Hide' : 'Show'} {formatBytes(size(input))}
        </button>
        <CopyButton text={input} what="input" />
      </div>
      {children}
      {isRaw && (
        <pre className="hex max-h-60 overflow-auto whitespace-pre-wrap break-all rounded bg-raised p-2">{input}</pre>
      )}
    </div>
  )
}
