import { hexFromBytes } from '../bytes.ts'
import type { Address, Hex, Word } from '../port.ts'
import { quantity, type TracedRun, wordHex } from './tracer.ts'

/** `=`: as before; `+`: new; `-`: gone; `*`: changed. */
export type Delta<T> = '=' | { '+': T } | { '-': T } | { '*': { from: T; to: T } }

export type AccountDelta = {
  balance: Delta<Hex>
  nonce: Delta<Hex>
  code: Delta<Hex>
  storage: Record<Word, Delta<Word>>
}

/** OpenEthereum's `stateDiff`: what a transaction changed, by account. */
export async function stateDiffTracer({ view, result }: TracedRun): Promise<Record<Address, AccountDelta>> {
  const { accounts, slots, cleared } = result.diff
  const addresses = [...new Set([...accounts.keys(), ...slots.keys(), ...cleared])].sort()
  const keys = [...slots].flatMap(([address, values]) => [...values.keys()].map((key) => [address, key] as const))
  await view.load?.({ accounts: addresses, codes: addresses, slots: keys, blockHashes: [], calls: [] })

  function deltaOf(address: Address): AccountDelta | undefined {
    const before = view.account(address)
    const code = before && view.code(address, before.codeHash)
    if (!before || !code) throw new Error(`The account ${address} could not be loaded`)
    const after = { balance: before.balance, nonce: before.nonce, code, ...accounts.get(address) }
    const existed = exists({ ...before, code })
    const kind = existed ? (exists(after) ? 'changed' : 'gone') : exists(after) ? 'new' : undefined
    if (!kind) return undefined
    const delta = <T extends string>(from: T, to: T): Delta<T> => {
      if (kind === 'new') return { '+': to }
      if (kind === 'gone') return { '-': from }
      return from === to ? '=' : { '*': { from, to } }
    }
    const storage: AccountDelta['storage'] = {}
    for (const [key, value] of [...(slots.get(address) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const old = view.storage(address, key) ?? 0n
      if (old !== value) storage[key] = delta(wordHex(old), wordHex(value))
    }
    const changed = {
      balance: delta(quantity(before.balance), quantity(after.balance)),
      nonce: delta(quantity(before.nonce), quantity(after.nonce)),
      code: delta(hexFromBytes(code), hexFromBytes(after.code)),
    }
    const isSame = Object.values(changed).every((value) => value === '=') && Object.keys(storage).length === 0
    return isSame ? undefined : { ...changed, storage }
  }

  const deltas = addresses.flatMap((address) => {
    const delta = deltaOf(address)
    return delta ? [[address, delta] as const] : []
  })
  return Object.fromEntries(deltas)
}

const exists = ({ balance, nonce, code }: { balance: bigint; nonce: bigint; code: Uint8Array }) =>
  balance !== 0n || nonce !== 0n || code.length > 0
