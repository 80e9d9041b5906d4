import type { Address } from '@understudy/evm'
import { requestContracts } from '../../ethereum/constants.ts'
import { beaconRoots, blockHashes } from '../../ethereum/systemRings.ts'
import { quantity } from '../../shared/hex.ts'
import type { RawBlock } from '../answers.ts'
import type { Request } from '../transport/requests.ts'
import type { BlockChanges } from './blockChanges.ts'

const ethereum = [1n, 11_155_111n, 17_000n, 560_048n]
const opStack = [10n, 130n, 252n, 480n, 1_868n, 8_453n, 34_443n, 57_073n, 84_532n, 7_777_777n, 11_155_420n]
const known = new Set([...ethereum, ...opStack])

/** Contracts that the protocol itself writes to, outside of transactions: EIP-4788, 2935, and those with requests. */
export const protocolContracts: readonly Address[] = [
  beaconRoots,
  blockHashes,
  ...requestContracts.map(({ address }) => address),
]

/** Where the OP stack credits fees without a transaction. */
const feeVaults: readonly Address[] = [
  '0x4200000000000000000000000000000000000011',
  '0x4200000000000000000000000000000000000019',
  '0x420000000000000000000000000000000000001a',
  '0x420000000000000000000000000000000000001b',
]

/**
 * Whether `addBlockLevelChanges` covers everything that a chain's blocks change outside of transactions. Some chains
 * write to their own contracts in every block, which traces do not show.
 */
export function isKnownChain(chainId: bigint): boolean {
  return known.has(chainId)
}

/**
 * Adds what a block changes outside of transactions, which traces do not show: rewards, withdrawals, and system
 * contracts.
 */
export async function addBlockLevelChanges(
  request: Request,
  block: RawBlock,
  changes: BlockChanges,
  signal: AbortSignal,
): Promise<void> {
  const { miner, withdrawals, uncles } = block as {
    miner?: Address
    withdrawals?: { address: Address }[] | null
    uncles?: unknown[]
  }
  const paid = [...feeVaults, ...(withdrawals ?? []).map(({ address }) => address)]
  if (miner) paid.push(miner)
  const fetched = await Promise.all(
    (uncles ?? []).map((_, index) =>
      request<{ miner: Address } | null>('eth_getUncleByBlockNumberAndIndex', [block.number, quantity(index)], {
        signal,
      }),
    ),
  )
  for (const uncle of fetched) if (uncle) paid.push(uncle.miner)
  for (const address of paid) changes.balances.add(address.toLowerCase() as Address)
  for (const address of protocolContracts) {
    changes.storages.add(address)
    changes.balances.add(address)
  }
}
