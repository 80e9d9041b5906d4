import { type Address, type Hex, zeroHash } from 'viem'
import { BeforeAfter } from '../../../components/BeforeAfter.tsx'
import { BlockLink, TransactionLink } from '../../../components/HashLink.tsx'
import { slotChanges } from '../../../lib/contracts/slotChanges.ts'
import type { StorageEntry } from '../../../lib/contracts/storage.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { type SlotWrite, useSlotHistory } from '../api/slotHistory.ts'

/** Who changed a variable, newest first, with the line of each. */
export function SlotHistory({ address, entry }: { address: Address; entry: StorageEntry }) {
  const query = useSlotHistory(address, entry.slot)
  return (
    <div className="border-line border-y bg-page px-3 py-2 text-xs">
      <Loaded query={query} what="history" rows={2}>
        {({ items, next }) => (
          <>
            <ol aria-label={`History of ${entry.path}`} className="space-y-1.5">
              {items.map((write, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: changes of the past have a fixed order
                <Change key={index} write={write} entry={entry} />
              ))}
            </ol>
            {next && (
              <p className="mt-2 text-soft">
                Older changes: <code>dev_getSlotHistory</code> returns all of them.
              </p>
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}

function Change({ write, entry }: { write: SlotWrite; entry: StorageEntry }) {
  const { block, transaction, before, after, place } = write
  const text = (word: Hex | null, side: 'before' | 'after') => {
    if (word === null) return 'live value'
    const [change] = slotChanges(entry.slot, before ?? zeroHash, after ?? zeroHash, [entry])
    return change ? change[side] : 'unchanged'
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="hex flex items-center gap-2">
        <BeforeAfter before={text(before as Hex | null, 'before')} after={text(after as Hex | null, 'after')} />
      </span>
      {transaction ? (
        <TransactionLink hash={transaction as Hex} />
      ) : (
        <span className="text-soft">changed directly, or by the network</span>
      )}
      <span className="text-soft">
        block <BlockLink number={BigInt(block)} />
      </span>
      {place?.file && (
        <code className="break-all text-soft">
          {place.function} {place.file}:{place.line}
        </code>
      )}
    </li>
  )
}
