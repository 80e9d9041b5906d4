import { RLP } from '@ethereumjs/rlp'
import type { Header } from './block.ts'
import { headerItems } from './header.ts'
import { type Withdrawal, withdrawalItems } from './withdrawal.ts'

/** The RLP of a block with transactions in their EIP-2718 encoding. */
export function encodeRawBlock(
  header: Header,
  transactions: readonly Uint8Array[],
  withdrawals: readonly Withdrawal[] = [],
): Uint8Array {
  // Legacy transactions stand in a block as lists, typed ones as strings.
  const body = transactions.map((raw) => ((raw[0] ?? 0) >= 0xc0 ? RLP.decode(raw) : raw))
  const withdrawn = header.withdrawalsRoot === undefined ? [] : [withdrawals.map(withdrawalItems)]
  return RLP.encode([headerItems(header), body, [], ...withdrawn])
}
