import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { keccak256 } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { formatCount, formatInteger } from '../../../format/amount.ts'
import { shorten } from '../../../format/hash.ts'
import { useCurrency } from '../../../ui/currency.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Pager } from '../../../ui/Pager.tsx'
import { type LocalAccount, useLocalState } from '../api/localState.ts'
import { GroupEntries, GroupFrame, type GroupView } from './DifferenceGroup.tsx'
import { nameOfSlot, readableField } from './fieldValue.ts'

/** The accounts with values that are kept here, whatever the live chain does. */
export function Frozen(view: GroupView) {
  // The cursors of the pages up to the one that is shown; the first page has none.
  const [cursors, setCursors] = useState<readonly string[]>([])
  const query = useLocalState(view.isOnly ? cursors.at(-1) : undefined)
  const next = query.data?.next ?? undefined
  const onPage = (page: number) =>
    setCursors(page > cursors.length && next !== undefined ? [...cursors, next] : cursors.slice(0, page))
  const isWhole = cursors.length === 0 || !view.isOnly
  return (
    <GroupFrame
      kind="frozen"
      note="Changed here, and kept at that value"
      count={isWhole && query.data ? `${formatInteger(query.data.items.length)}${next ? '+' : ''}` : undefined}
    >
      <Loaded query={query} what="frozen values" rows={3}>
        {({ items }) => (
          <GroupEntries
            kind="frozen"
            items={items}
            keyOf={({ address }) => address}
            hasMore={next !== undefined}
            empty="Nothing has been changed here."
            {...view}
          >
            {(account) => <Row account={account} />}
          </GroupEntries>
        )}
      </Loaded>
      {view.isOnly && (
        <Pager page={cursors.length} hasNext={next !== undefined} what="frozen accounts" onPage={onPage} />
      )}
    </GroupFrame>
  )
}

/** Slots of one account; its page shows all. */
const shownSlots = 2
/** The network counts no further. */
const countLimit = 1000
const noCode = keccak256('0x')

function Row({ account: { address, balance, nonce, code, slots, slotCount } }: { account: LocalAccount }) {
  const currency = useCurrency()
  const fields = [
    balance !== null && readableField('balance', balance, currency),
    nonce !== null && nonce > 0 && `nonce ${formatInteger(nonce)}`,
    code !== null && code !== noCode && 'code',
  ].filter((text) => text !== false)
  return (
    <>
      <div className="flex min-w-0 items-center gap-2">
        <Account address={address} className="min-w-0 grow" />
        {slotCount > 0 && (
          <Link
            to="/address/$address"
            params={{ address }}
            search={{ tab: 'state' }}
            className="whitespace-nowrap text-accent text-xs leading-6 hover:underline"
          >
            {slotCount < countLimit ? formatCount(slotCount, 'slot') : `${formatInteger(countLimit)}+ slots`}
          </Link>
        )}
        <span className="number truncate text-frozen text-xs">{fields.join(', ')}</span>
      </div>
      {slots.slice(0, shownSlots).map(({ slot, value, variables }) => (
        <p key={slot} className="flex min-w-0 items-center gap-2 text-xs">
          <span className="hex min-w-0 truncate text-soft" title={variables.join(', ') || slot}>
            {nameOfSlot(slot, variables)}
          </span>
          <span className="number ml-auto truncate text-frozen" title={value}>
            {variables.length > 1 ? shorten(value) : readableField('storage', value, currency)}
          </span>
        </p>
      ))}
    </>
  )
}
