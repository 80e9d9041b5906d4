import type { ReactNode } from 'react'
import { type Hex, hexToBigInt, size, zeroHash } from 'viem'
import { formatCount, formatInteger, readableWei } from '../format/amount.ts'
import type { AccountState, StateDiff } from '../lib/chain/trace.ts'
import { slotChanges } from '../lib/contracts/slotChanges.ts'
import type { SlotVariable } from '../lib/contracts/slotVariable.ts'
import { useSlotVariables } from '../lib/contracts/slotVariables.ts'
import { useCurrency } from '../ui/currency.ts'
import { Account } from './Account.tsx'
import { BeforeAfter } from './BeforeAfter.tsx'

/** Each account with its fields and slots: before → after. */
export function AccountDiffs({ diff: { pre, post } }: { diff: StateDiff }) {
  const addresses = [...new Set([...Object.keys(pre), ...Object.keys(post)])] as Hex[]
  return (
    <ul className="divide-y divide-line">
      {addresses.map((address) => (
        <AccountChanges key={address} address={address} before={pre[address] ?? {}} after={post[address] ?? {}} />
      ))}
    </ul>
  )
}

function AccountChanges({ address, before, after }: { address: Hex; before: AccountState; after: AccountState }) {
  const variables = useSlotVariables(address)
  return (
    <li className="px-3 py-2">
      <Account address={address} full copy />
      <div className="mt-1 space-y-0.5">{changesOf(before, after, variables)}</div>
    </li>
  )
}

type Variables = ReadonlyMap<Hex, readonly SlotVariable[]>

const zero = zeroHash

function changesOf(before: AccountState, after: AccountState, variables: Variables): ReactNode[] {
  const rows: ReactNode[] = []
  if (after.balance !== undefined && before.balance !== after.balance)
    rows.push(
      <Change
        key="balance"
        name="balance"
        before={<Ether wei={before.balance} />}
        after={<Ether wei={after.balance} />}
        difference={<EtherDifference before={before.balance} after={after.balance} />}
      />,
    )
  if (after.nonce !== undefined && before.nonce !== after.nonce)
    rows.push(
      <Change key="nonce" name="nonce" before={formatInteger(before.nonce ?? 0)} after={formatInteger(after.nonce)} />,
    )
  if (after.code !== undefined && before.code !== after.code)
    rows.push(<Change key="code" name="code" before={bytes(before.code)} after={bytes(after.code)} />)
  const slots = new Set([...Object.keys(before.storage ?? {}), ...Object.keys(after.storage ?? {})]) as Set<Hex>
  for (const slot of slots)
    for (const { name, ...change } of slotChanges(
      slot,
      before.storage?.[slot] ?? zero,
      after.storage?.[slot] ?? zero,
      variables.get(slot),
    ))
      rows.push(<Change key={`${slot} ${name}`} name={<span title={slot}>{name}</span>} {...change} />)
  return rows
}

const bytes = (code: Hex | undefined) => formatCount(size(code ?? '0x'), 'byte')

type ChangeProps = { name: ReactNode; before: ReactNode; after: ReactNode; difference?: ReactNode }

function Change({ name, before, after, difference }: ChangeProps) {
  return (
    <div className="grid items-baseline gap-x-3 text-sm md:grid-cols-[minmax(8rem,16rem)_minmax(0,1fr)]">
      <span className="hex min-w-0 break-all text-soft text-xs">{name}</span>
      <span className="hex flex min-w-0 flex-wrap items-center gap-2 break-all">
        <BeforeAfter before={before} after={after} difference={difference} />
      </span>
    </div>
  )
}

function Ether({ wei = '0x0' }: { wei: Hex | undefined }) {
  const { text, unit } = readableWei(hexToBigInt(wei), useCurrency())
  return `${text} ${unit}`
}

function EtherDifference({ before = '0x0', after = '0x0' }: { before: Hex | undefined; after: Hex | undefined }) {
  const difference = hexToBigInt(after) - hexToBigInt(before)
  const { text, unit } = readableWei(difference, useCurrency())
  return `${difference > 0n ? '+' : ''}${text} ${unit}`
}
