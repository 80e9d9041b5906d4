import { type Address, type Hex, zeroHash } from 'viem'
import { slotChanges } from '../lib/contracts/slotChanges.ts'
import { type SlotWrite, useSlotHistory } from '../lib/contracts/slotHistory.ts'
import type { SlotVariable } from '../lib/contracts/slotVariable.ts'
import { Age } from '../ui/Age.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { BeforeAfter } from './BeforeAfter.tsx'
import { BlockLink, TransactionLink } from './HashLink.tsx'

type Shown = {
  slot: Hex
  /** The variable of the slot that is shown; the whole slot by default. */
  variable?: SlotVariable | undefined
}

/** Who changed a slot or a variable in it, newest first, with the line of each. */
export function SlotHistory({ address, name, ...shown }: Shown & { address: Address; name: string }) {
  const query = useSlotHistory(address, shown.slot)
  return (
    <div className="border-line border-y bg-page px-3 py-2 text-xs">
      <Loaded query={query} what="history" rows={2}>
        {({ items, next, since }) => (
          <>
            <ol aria-label={`History of ${name}`} className="space-y-1.5">
              {items.map((write, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: changes of the past have a fixed order
                <Change key={index} write={write} {...shown} />
              ))}
            </ol>
            <p className="mt-2 text-soft">
              {next ? (
                <>
                  Older changes: <code>dev_getSlotHistory</code> returns all of them.
                </>
              ) : (
                <>
                  {items.length === 0 ? 'Not changed on this network' : 'Nothing else changed it'} since block{' '}
                  <BlockLink number={BigInt(since)} />.
                </>
              )}
            </p>
          </>
        )}
      </Loaded>
    </div>
  )
}

function Change({ write, slot, variable }: Shown & { write: SlotWrite }) {
  const { block, transaction, before, after, line: location, timestamp } = write
  const text = (side: 'before' | 'after') => {
    const isLive = side === 'before' ? write.isLiveBefore : write.isLiveAfter
    if (write[side] === null) return isLive ? 'live value' : 'not known'
    const [change] = slotChanges(
      slot,
      (before ?? zeroHash) as Hex,
      (after ?? zeroHash) as Hex,
      variable ? [variable] : undefined,
    )
    const value = change ? change[side] : 'unchanged'
    return isLive ? `${value} (live)` : value
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="hex flex items-center gap-2">
        <BeforeAfter before={text('before')} after={text('after')} />
      </span>
      {transaction && <TransactionLink hash={transaction as Hex} />}
      {write.cause !== 'transaction' && <span className="text-soft">{causes[write.cause]}</span>}
      <span className="text-soft">
        block <BlockLink number={BigInt(block)} />
      </span>
      {timestamp && (
        <span className="text-soft">
          <Age at={Date.parse(timestamp)} />
        </span>
      )}
      {location?.file && (
        <code className="break-all text-soft">
          {location.function} {location.file}:{location.line}
        </code>
      )}
    </li>
  )
}

const causes: Record<Exclude<SlotWrite['cause'], 'transaction'>, string> = {
  block: 'written by the protocol',
  setStorageAt: 'set directly',
  setStorageVariable: 'set directly, as a variable',
  setTokenBalance: 'set as a token balance or allowance',
  loadState: 'loaded from a state dump',
  wipe: 'local state wiped',
  resync: 'account resynced with the live chain',
  follow: 'follows the live chain',
  unfollow: 'no longer follows the live chain',
  promoteBranch: 'taken over from a branch',
  revert: 'network reverted',
  creation: 'contract created or destroyed',
  pruned: 'before the oldest block that is kept',
  unknown: 'not by a known transaction',
}
