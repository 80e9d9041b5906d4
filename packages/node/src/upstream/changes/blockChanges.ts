import type { Address, Hex, Word } from '@understudy/evm'
import { NetworkError } from '../../shared/errors.ts'
import type { RawBlock } from '../answers.ts'

/** What one block changed, or may have changed, in upstream's state: too much is safe, too little is not. */
export type BlockChanges = {
  /** Accounts that were created or destroyed: nothing known about them holds any more. */
  wiped: Set<Address>
  balances: Set<Address>
  nonces: Set<Address>
  codes: Set<Address>
  /** With the value after the block; `undefined` if only the change is known. */
  slots: Map<Address, Map<Word, bigint | undefined>>
  /** Accounts whose slots may all have changed. */
  storages: Set<Address>
}

export function noChanges(): BlockChanges {
  return {
    wiped: new Set(),
    balances: new Set(),
    nonces: new Set(),
    codes: new Set(),
    slots: new Map(),
    storages: new Set(),
  }
}

export function addSlot({ slots }: BlockChanges, address: Address, slot: Word, value: bigint | undefined): void {
  const values = slots.get(address)
  if (values) values.set(slot, value)
  else slots.set(address, new Map([[slot, value]]))
}

function hashesOf(block: RawBlock): Hex[] {
  if (!Array.isArray(block.transactions))
    throw new NetworkError('UPSTREAM_ERROR', { problem: `block ${block.number} came without its transactions` })
  return block.transactions.map((item: Hex | { hash: Hex }) => (typeof item === 'string' ? item : item.hash))
}

export function hasTransactions(block: RawBlock): boolean {
  return hashesOf(block).length > 0
}

/** Throws unless a trace has exactly these transactions: another block of that number would have others. */
export function requireTransactionsOf(block: RawBlock, traced: readonly (Hex | undefined)[]): void {
  const hashes = hashesOf(block)
  const isSame =
    hashes.length === traced.length &&
    traced.every((hash, index) => hash?.toLowerCase() === hashes[index]?.toLowerCase())
  if (!isSame) throw new NetworkError('UPSTREAM_ERROR', { problem: `its trace of block ${block.number} is of another` })
}
