import { Link } from '@tanstack/react-router'
import type { Address, Hex } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { isTooMuch } from '../../../errors/rpcError.ts'
import { formatInteger } from '../../../format/amount.ts'
import { type Drift, useDrift } from '../../../lib/state/drift.ts'
import { useResync } from '../../../lib/state/follows.ts'
import { losses } from '../../../lib/state/losses.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useCurrency } from '../../../ui/currency.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { useLocalState } from '../api/localState.ts'
import { GroupEntries, GroupFrame, type GroupView } from './DifferenceGroup.tsx'
import { nameOfSlot, readableField } from './fieldValue.ts'

/** The frozen values that have changed on the live chain since, with a button to resync them. */
export function Drifted(view: GroupView) {
  const query = useDrift()
  const resync = useResync()
  const isAnswered = query.data !== undefined || !isTooMuch(query.error)
  return (
    <GroupFrame
      kind="drifted"
      note="Frozen here, changed on the live chain since"
      count={query.data && formatInteger(query.data.length)}
      actions={
        <Button busy={query.isFetching} onClick={() => void query.refetch()}>
          Check now
        </Button>
      }
    >
      {isAnswered ? (
        <Loaded query={query} what="drift" rows={1}>
          {(drifted) => (
            <GroupEntries
              kind="drifted"
              items={byAddress(drifted)}
              keyOf={({ address }) => address}
              empty="The live chain has not changed any value that is frozen here."
              {...view}
            >
              {(one) => <Row {...one} busy={resync.isPending} onResync={() => resync.mutate(one.address)} />}
            </GroupEntries>
          )}
        </Loaded>
      ) : (
        <p className="px-3 py-2 text-soft text-xs">
          Too many values are frozen to compare them all. Open an account to compare its own.
        </p>
      )}
    </GroupFrame>
  )
}

type DriftedAccount = { address: Address; drifted: Drift[] }

function byAddress(drifted: readonly Drift[]): DriftedAccount[] {
  const found = new Map<Address, Drift[]>()
  for (const one of drifted) {
    const known = found.get(one.address)
    if (known) known.push(one)
    else found.set(one.address, [one])
  }
  return [...found].map(([address, values]) => ({ address, drifted: values }))
}

/** Values of one account. */
const shown = 3

function Row({ address, drifted, busy, onResync }: DriftedAccount & { busy: boolean; onResync: () => void }) {
  const currency = useCurrency()
  // The names of the first page of frozen values, which the page has loaded.
  const { data: frozen } = useLocalState(undefined)
  const known = frozen?.items.find((one) => one.address === address)?.slots ?? []
  const variablesOf = (slot: Hex) => known.find((one) => one.slot === slot)?.variables ?? []
  return (
    <>
      <div className="flex items-center gap-2">
        <Account address={address} className="grow" />
        <ConfirmButton title="Resync with the live chain?" explanation={losses.resync} busy={busy} onConfirm={onResync}>
          Resync
        </ConfirmButton>
      </div>
      {drifted.slice(0, shown).map(({ field, slot, local, upstream }) => (
        <p key={field + (slot ?? '')} className="mt-1 flex min-w-0 items-center gap-1.5 text-xs">
          <Link
            to="/address/$address"
            params={{ address }}
            search={{ tab: 'state' }}
            className="hex w-28 shrink-0 truncate text-soft hover:underline"
            title={slot ? variablesOf(slot).join(', ') || slot : undefined}
          >
            {slot ? nameOfSlot(slot, variablesOf(slot)) : field}
          </Link>
          <span className="number truncate" title={local}>
            {readableField(field, local, currency)}
          </span>
          <span className="text-soft">
            <Icon name="right" size={11} />
          </span>
          <span className="number truncate text-drifted" title={upstream}>
            {readableField(field, upstream, currency)}
          </span>
        </p>
      ))}
      {drifted.length > shown && <p className="mt-1 text-soft text-xs">and {drifted.length - shown} more</p>}
    </>
  )
}
