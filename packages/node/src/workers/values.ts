import type { StateView } from '@understudy/evm'
import type { Keys, Values } from './messages.ts'

/** What a view has in memory, of these keys. */
export function valuesOf(view: StateView | undefined, keys: Keys): Values {
  const values: Values = { accounts: [], codes: [], slots: [], blockHashes: [], calls: [] }
  if (!view) return values
  for (const address of keys.accounts ?? []) {
    const account = view.account(address)
    if (account) values.accounts.push([address, account])
  }
  for (const address of keys.codes ?? []) {
    const account = view.account(address)
    const code = account && view.code(address, account.codeHash)
    // A part of a larger buffer would be sent with all of it.
    if (code) values.codes.push([account.codeHash, new Uint8Array(code)])
  }
  for (const [address, slot] of keys.slots ?? []) {
    const value = view.storage(address, slot)
    if (value !== undefined) values.slots.push([address, slot, value])
  }
  for (const number of keys.blockHashes ?? []) {
    const hash = view.blockHash(number)
    if (hash !== undefined) values.blockHashes.push([number, hash])
  }
  for (const [address, input] of keys.calls ?? []) {
    const answer = view.liveAnswer?.(address, input)
    if (answer) values.calls.push([address, input, answer])
  }
  return values
}
