import { Link } from '@tanstack/react-router'
import { Account } from '../../../components/Account.tsx'
import { RawTransactionRow } from '../../../components/TransactionRow.tsx'
import { formatBytes, formatGwei, formatInteger, formatPercent } from '../../../format/amount.ts'
import { formatDateTime, millisFrom } from '../../../format/time.ts'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { Age } from '../../../ui/Age.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { VirtualList } from '../../../ui/VirtualList.tsx'
import { useBlock } from '../api/block.ts'

/** One block: its header and its transactions. */
export function BlockDetails({ id }: { id: string }) {
  const query = useBlock(id)
  const { data: info } = useNetworkInfo()
  return (
    <Loaded query={query} what="block" rows={10}>
      {(found) => {
        if (!found)
          return (
            <Panel>
              <Empty title={`Block ${id} does not exist`}>
                {info && `The latest block is ${formatInteger(info.head.number)}.`}
              </Empty>
            </Panel>
          )
        const { block, receipts } = found
        const number = Number(block.number)
        const failed = new Set(receipts.filter(({ status }) => status === 'reverted').map((one) => one.transactionHash))
        const isUpstreams = info !== undefined && info.upstream !== null && number <= info.origin.number
        return (
          <>
            <PageTitle
              tab={`Block ${number}`}
              title={<span className="number">Block {formatInteger(number)}</span>}
              note={
                <>
                  {isUpstreams ? <Badge>live chain</Badge> : <Badge tone="accent">this network</Badge>}
                  <Age at={millisFrom(block.timestamp)} />
                </>
              }
              actions={<Neighbours number={number} head={info?.head.number} />}
            />
            <Panel>
              <Facts
                rows={[
                  ['Hash', <HexValue key="hash" hex={block.hash} what="block hash" />],
                  ['Parent hash', <BlockHashLink key="parent" hash={block.parentHash} />],
                  ['Timestamp', formatDateTime(millisFrom(block.timestamp))],
                  [
                    'Gas used',
                    `${formatInteger(block.gasUsed)} of ${formatInteger(block.gasLimit)} (${formatPercent(block.gasUsed, block.gasLimit)})`,
                  ],
                  block.baseFeePerGas !== null && ['Base fee', formatGwei(block.baseFeePerGas)],
                  ['Fee recipient', <Account key="miner" address={block.miner} full copy />],
                  ['Size', formatBytes(Number(block.size))],
                  ['State root', <HexValue key="root" hex={block.stateRoot} what="state root" />],
                ]}
              />
            </Panel>
            <Panel title="Transactions" note={formatInteger(block.transactions.length)}>
              {block.transactions.length === 0 ? (
                <Empty title="No transactions in this block" />
              ) : (
                <VirtualList items={block.transactions} rowHeight={37} keyOf={({ hash }) => hash} label="Transactions">
                  {(transaction) => (
                    <RawTransactionRow
                      transaction={transaction}
                      timestamp={block.timestamp}
                      failed={failed.has(transaction.hash)}
                    />
                  )}
                </VirtualList>
              )}
            </Panel>
          </>
        )
      }}
    </Loaded>
  )
}

function Neighbours({ number, head }: { number: number; head: number | undefined }) {
  const style = 'inline-flex h-7 items-center rounded-md border border-line bg-panel px-2.5 text-xs hover:bg-raised'
  return (
    <>
      {number > 0 && (
        <Link to="/block/$id" params={{ id: String(number - 1) }} className={style}>
          ← {formatInteger(number - 1)}
        </Link>
      )}
      {head !== undefined && number < head && (
        <Link to="/block/$id" params={{ id: String(number + 1) }} className={style}>
          {formatInteger(number + 1)} →
        </Link>
      )}
    </>
  )
}

function BlockHashLink({ hash }: { hash: string }) {
  return (
    <Link to="/block/$id" params={{ id: hash }} className="hex break-all rounded text-accent hover:underline">
      {hash}
    </Link>
  )
}

function HexValue({ hex, what }: { hex: string; what: string }) {
  return (
    <span className="hex break-all">
      {hex} <CopyButton text={hex} what={what} />
    </span>
  )
}
