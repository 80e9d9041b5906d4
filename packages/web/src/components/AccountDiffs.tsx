import type { ReactNode } from 'react'
import { type Hex, hexToBigInt, size, zeroHash } from 'viem'
import { formatCount, formatInteger, readableWei } from '../format/amount.ts'
import { shorten } from '../format/hash.ts'
import type { AccountState, StateDiff } from '../lib/chain/trace.ts'
import { readVariable, type SlotVariable } from '../lib/contracts/slotVariable.ts'
import { useSlotVariables } from '../lib/contracts/slotVariables.ts'
import { useCurrency } from '../ui/currency.ts'
import { Icon } from '../ui/Icon.tsx'
import { Account } from './Account.tsx'

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
    rows.push(...slotChanges(slot, before.storage?.[slot] ?? zero, after.storage?.[slot] ?? zero, variables.get(slot)))
  return rows
}

/** One row for each variable of the slot that changed; one for the slot when its variables are unknown. */
function slotChanges(slot: Hex, before: Hex, after: Hex, variables: readonly SlotVariable[] | undefined): ReactNode[] {
  if (!variables)
    return [
      <Change
        key={slot}
        name={<span title={slot}>slot {shorten(slot)}</span>}
        before={word(before)}
        after={word(after)}
      />,
    ]
  return variables
    .map((variable) => ({ ...variable, from: readVariable(before, variable), to: readVariable(after, variable) }))
    .filter(({ from, to }) => from !== to)
    .map(({ path, from, to }) => (
      <Change
        key={path}
        name={<span title={slot}>{path}</span>}
        before={from}
        after={to}
        difference={differenceOf(from, to)}
      />
    ))
}

const bytes = (code: Hex | undefined) => formatCount(size(code ?? '0x'), 'byte')

/** Small values as numbers, others as hex. */
const word = (hex: Hex) => {
  const value = hexToBigInt(hex)
  return value < 2n ** 128n ? formatInteger(value) : hex
}

/** Of two whole numbers as text; `undefined` for anything else. */
function differenceOf(from: string, to: string): string | undefined {
  const [before, after] = [from, to].map((text) => text.replaceAll(',', ''))
  if (!isWhole(before) || !isWhole(after)) return undefined
  const difference = BigInt(after) - BigInt(before)
  return `${difference > 0n ? '+' : '−'}${formatInteger(difference < 0n ? -difference : difference)}`
}

const isWhole = (text: string | undefined): text is string => text !== undefined && /^-?\d+$/.test(text)

type ChangeProps = { name: ReactNode; before: ReactNode; after: ReactNode; difference?: ReactNode }

function Change({ name, before, after, difference }: ChangeProps) {
  return (
    <div className="grid items-baseline gap-x-3 text-sm md:grid-cols-[minmax(8rem,16rem)_minmax(0,1fr)]">
      <span className="hex min-w-0 break-all text-soft text-xs">{name}</span>
      <span className="hex flex min-w-0 flex-wrap items-center gap-2 break-all">
        <span className="rounded bg-bad-wash px-1 text-bad">{before}</span>
        <Icon name="right" size={11} />
        <span className="rounded bg-good-wash px-1 text-good">{after}</span>
        {difference && <span className="text-soft text-xs">{difference}</span>}
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
