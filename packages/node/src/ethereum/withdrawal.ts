import type { Address, Word } from '@understudy/evm'
import { bytesFromBigint, bytesFromHex } from '../shared/hex.ts'
import { encodeRlp } from '../shared/rlp/encodeRlp.ts'
import { listRoot } from './listRoot.ts'

/** Ether from the consensus layer (EIP-4895). `amount` is in gwei. */
export type Withdrawal = { index: bigint; validatorIndex: bigint; address: Address; amount: bigint }

/** The items of a withdrawal's RLP. */
export function withdrawalItems({ index, validatorIndex, address, amount }: Withdrawal): Uint8Array[] {
  return [bytesFromBigint(index), bytesFromBigint(validatorIndex), bytesFromHex(address), bytesFromBigint(amount)]
}

export const withdrawalsRoot = (withdrawals: readonly Withdrawal[]): Word =>
  listRoot(withdrawals.map((withdrawal) => encodeRlp(withdrawalItems(withdrawal))))

/** The amount for each address, in wei. */
export function withdrawnWei(withdrawals: readonly Withdrawal[]): Map<Address, bigint> {
  const received = new Map<Address, bigint>()
  for (const { address, amount } of withdrawals)
    received.set(address, (received.get(address) ?? 0n) + amount * 1_000_000_000n)
  return received
}
