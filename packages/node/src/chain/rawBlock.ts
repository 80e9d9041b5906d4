import { RLP } from '@ethereumjs/rlp'
import type { Header } from './block.ts'
import { headerItems } from './header.ts'

/** The RLP of a block with transactions in their EIP-2718 encoding. */
export function encodeRawBlock(header: Header, transactions: readonly Uint8Array[]): Uint8Array {
  // Legacy transactions stand in a block as lists, typed ones as strings.
  const body = transactions.map((raw) => ((raw[0] ?? 0) >= 0xc0 ? RLP.decode(raw) : raw))
  return RLP.encode([headerItems(header), body, [], ...(header.withdrawalsRoot === undefined ? [] : [[]])])
}
