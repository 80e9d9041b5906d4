import { writeWord } from './bytes.ts'
import type { Address, ReplacedKeys, StateDiff, Word } from './port.ts'
import type { EngineExports } from './wasm.ts'

type Instance = {
  readonly exports: EngineExports
  readonly bytes: Buffer
  readonly data: DataView
  giveAddress(address: Address): void
  giveKey(key: Word): void
  giveWord(value: bigint): void
}

/** Applies a difference to what an instance holds of the open view. */
export function applyToResident(instance: Instance, diff: StateDiff): void {
  const { exports } = instance
  for (const address of diff.cleared) {
    instance.giveAddress(address)
    exports.clearStorage()
  }
  for (const [address, change] of diff.accounts) applyToAccount(instance, address, change)
  for (const [address, slots] of diff.slots) {
    for (const [key, value] of slots) {
      instance.giveAddress(address)
      instance.giveKey(key)
      writeWord(instance.data, exports.EXCHANGE.value + 64, value)
      exports.putSlot()
    }
  }
}

/** Forgets keys that an instance holds of the open view: a run asks for them again. */
export function forgetResident(instance: Instance, { accounts, cleared, slots }: ReplacedKeys): void {
  const { exports } = instance
  for (const [address, keys] of slots) {
    if (cleared.has(address)) continue
    for (const key of keys) {
      instance.giveAddress(address)
      instance.giveKey(key)
      exports.forgetSlot()
    }
  }
  for (const address of accounts) {
    instance.giveAddress(address)
    exports.forgetAccount()
  }
  for (const address of cleared) {
    instance.giveAddress(address)
    exports.forgetStorage()
  }
}

function applyToAccount(
  instance: Instance,
  address: Address,
  change: { balance?: bigint; nonce?: bigint; code?: Uint8Array },
): void {
  const { exports } = instance
  instance.giveAddress(address)
  const account = exports.residentAccount()
  if (account === 0) return
  if (change.balance !== undefined) {
    instance.giveWord(change.balance)
    exports.putBalance(account)
  }
  if (change.nonce !== undefined) exports.putNonce(account, BigInt.asIntN(64, change.nonce))
  if (change.code !== undefined) {
    instance.bytes.set(change.code, exports.RETURN_DATA.value)
    exports.putCode(account, change.code.length)
  }
}
