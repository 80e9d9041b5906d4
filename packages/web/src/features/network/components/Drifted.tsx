import type { Address } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { formatInteger, readableWei } from '../../../format/amount.ts'
import { shorten } from '../../../format/hash.ts'
import { type Drift as Drifted, useDrift } from '../../../lib/state/drift.ts'
import { useResync } from '../../../lib/state/follows.ts'
import { losses } from '../../../lib/state/losses.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useCurrency } from '../../../ui/currency.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'

const shown = 3

/** The frozen values that have changed on the live chain since, with a button to resync them. */
export function Drift() {
  const query = useDrift()
  const resync = useResync()
  return (
    <Panel
      title="Drifted"
      note="Frozen here, changed on the live chain since"
      actions={
        <Button busy={query.isFetching} onClick={() => void query.refetch()}>
          Check now
        </Button>
      }
    >
      <Loaded query={query} what="drift" rows={2}>
        {(drifted) => {
          const addresses = [...new Set(drifted.map(({ address }) => address))]
          if (addresses.length === 0)
            return <Empty title="No drift">The live chain has not changed any value that is frozen here.</Empty>
          return (
            <ul className="max-h-80 divide-y divide-line overflow-y-auto">
              {addresses.map((address) => (
                <Row
                  key={address}
                  address={address}
                  drifted={drifted.filter((one) => one.address === address)}
                  busy={resync.isPending}
                  onResync={() => resync.mutate(address)}
                />
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Panel>
  )
}

type RowProps = { address: Address; drifted: readonly Drifted[]; busy: boolean; onResync: () => void }

function Row({ address, drifted, busy, onResync }: RowProps) {
  const currency = useCurrency()
  return (
    <li className="px-3 py-2">
      <div className="flex items-center gap-2">
        <Account address={address} className="grow" />
        <ConfirmButton title="Resync with the live chain?" explanation={losses.resync} busy={busy} onConfirm={onResync}>
          Resync
        </ConfirmButton>
      </div>
      {drifted.slice(0, shown).map((one) => (
        <p key={one.field + (one.slot ?? '')} className="mt-1 flex min-w-0 items-center gap-1.5 text-xs">
          <span className="hex w-24 shrink-0 truncate text-soft" title={one.slot ?? undefined}>
            {one.slot ? `slot ${shorten(one.slot)}` : one.field}
          </span>
          <span className="number truncate" title={one.local}>
            {readable(one, one.local, currency)}
          </span>
          <span className="text-soft">
            <Icon name="right" size={11} />
          </span>
          <span className="number truncate text-drifted" title={one.upstream}>
            {readable(one, one.upstream, currency)}
          </span>
        </p>
      ))}
      {drifted.length > shown && <p className="mt-1 text-soft text-xs">and {drifted.length - shown} more</p>}
    </li>
  )
}

function readable({ field }: Drifted, value: string, currency: string): string {
  if (field === 'balance') {
    const { text, unit } = readableWei(BigInt(value), currency)
    return `${text} ${unit}`
  }
  if (field === 'nonce') return formatInteger(BigInt(value))
  const word = BigInt(value)
  return field === 'storage' && word < 2n ** 128n ? formatInteger(word) : shorten(value)
}
