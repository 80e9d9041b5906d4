import { useState } from 'react'
import { type Hex, hexToNumber, size } from 'viem'
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
import { ConsoleLogs } from './ConsoleLogs.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { FailureReason } from './FailureReason.tsx'
import { GasProfile } from './GasProfile.tsx'
import { Headline } from './Headline.tsx'
import { Logs } from './Logs.tsx'
import { StateChanges } from './StateChanges.tsx'
import { Transfers } from './Transfers.tsx'

type Props = { hash: Hex; tab: string | undefined; onTab: (tab: string) => void }

/** One transaction: its input, its calls and its effects. */
export function TransactionDetails({ hash, tab = 'calls', onTab }: Props) {
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
        const { transaction, receipt, timestamp } = details
        const isSealed = transaction.blockNumber !== null
        return (
          <>
            <PageTitle
              tab={`Transaction ${hash.slice(0, 10)}`}
              title={<Headline hash={hash} transaction={transaction} />}
              actions={<ExportMenu transaction={transaction} />}
              note={
                <>
                  <Status details={details} />
                  {timestamp !== undefined && <Age at={millisFrom(timestamp)} />}
                </>
              }
            />
            <Summary details={details} />
            <ConsoleLogs hash={hash} />
            <Tabs
              label="Transaction details"
              chosen={tab}
              onChoose={onTab}
              tabs={[
                { id: 'calls', name: 'Calls' },
                { id: 'transfers', name: 'Transfers' },
                { id: 'logs', name: 'Logs', count: receipt?.logs.length ?? 0 },
                { id: 'state', name: 'State changes' },
                { id: 'gas', name: 'Gas' },
              ]}
            />
            {tab === 'calls' && <CallTree hash={hash} isSealed={isSealed} />}
            {tab === 'transfers' && <Transfers hash={hash} />}
            {tab === 'logs' && <Logs hash={hash} logs={receipt?.logs ?? []} />}
            {tab === 'state' && <StateChanges hash={hash} isSealed={isSealed} />}
            {tab === 'gas' && <GasProfile hash={hash} isSealed={isSealed} />}
          </>
        )
      }}
    </Loaded>
  )
}

function Status({ details: { transaction, receipt } }: { details: Details }) {
  if (transaction.blockNumber === null) return <Badge tone="warn">pending</Badge>
  return receipt?.status === 'success' ? <Badge tone="good">succeeded</Badge> : <Badge tone="bad">reverted</Badge>
}

function Summary({ details: { transaction, receipt, timestamp } }: { details: Details }) {
  const { hash, from, to, value, input, nonce, gas, typeHex, blockNumber, maxFeePerGas, maxPriorityFeePerGas } =
    transaction
  const { data: decoded } = useDecoded(hash)
  const common = to && input !== '0x' ? decodeCall(commonAbis, input) : undefined
  const call = decoded?.function ? { name: decoded.function.name, values: decoded.function.args ?? [] } : common
  const l1Fee = receipt && l1FeeOf(receipt)
  const fee = receipt ? receipt.gasUsed * receipt.effectiveGasPrice : undefined
  return (
    <Panel>
      {receipt?.status === 'reverted' && <FailureReason hash={hash} />}
      <Facts
        rows={[
          [
            'Hash',
            <span key="hash" className="hex break-all">
              {hash} <CopyButton text={hash} what="hash" />
            </span>,
          ],
          blockNumber !== null && [
            'Block',
            <span key="block" className="flex flex-wrap gap-x-3">
              <BlockLink number={blockNumber} />
              {timestamp !== undefined && <span className="text-soft">{formatDateTime(millisFrom(timestamp))}</span>}
            </span>,
          ],
          ['From', <Account key="from" address={from} full copy />],
          [
            to ? 'To' : 'Creates',
            to ? (
              <Account key="to" address={to} full copy />
            ) : receipt?.contractAddress ? (
              <Account key="created" address={receipt.contractAddress} full copy />
            ) : (
              'A contract'
            ),
          ],
          ['Value', <Amount key="value" value={value} />],
          [
            'Input',
            <Input key="input" input={input} method={call?.name ?? methodLabel(to, input)}>
              {call && <Values values={call.values} />}
            </Input>,
          ],
          receipt && [
            'Gas used',
            `${formatInteger(receipt.gasUsed)} of ${formatInteger(gas)} (${formatPercent(receipt.gasUsed, gas)})`,
          ],
          fee !== undefined &&
            receipt && [
              'Fee',
              <span key="fee">
                <Amount value={fee} />{' '}
                <span className="text-soft text-xs">at {formatGwei(receipt.effectiveGasPrice)}</span>
              </span>,
            ],
          l1Fee !== undefined && ['Fee on L1', <Amount key="l1Fee" value={l1Fee} />],
        ]}
      />
      <details className="border-line border-t text-sm">
        <summary className="min-h-8 cursor-pointer px-3 py-1.5 text-soft">Nonce, type and fee limits</summary>
        <Facts
          rows={[
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

/** The decoded call, with the raw bytes on request. */
function Input({ input, method, children }: { input: Hex; method: string; children: React.ReactNode }) {
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
