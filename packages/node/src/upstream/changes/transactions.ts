import type { Hex } from '@understudy/evm'
import { NetworkError } from '../../shared/errors.ts'
import type { RawBlock } from '../answers.ts'

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
