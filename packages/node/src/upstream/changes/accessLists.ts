import type { Address, Hex, Word } from '@understudy/evm'
import { NetworkError } from '../../shared/errors.ts'
import type { RawBlock } from '../answers.ts'
import type { Request } from '../transport/requests.ts'
import { addSlot, type BlockChanges, noChanges } from './blockChanges.ts'

type AccountAccess = {
  address: Address
  storageChanges: { key: Hex; changes: { value: Hex }[] }[]
  balanceChanges: unknown[]
  nonceChanges: unknown[]
  codeChanges: unknown[]
}

/** Reads a block's access list (EIP-7928): everything that it changed, including the protocol's own changes. */
export async function loadFromAccessList(
  request: Request,
  block: RawBlock,
  signal: AbortSignal,
): Promise<BlockChanges> {
  const list = await request<AccountAccess[] | null>('eth_getBlockAccessList', [block.hash], { signal })
  // For a block without such a list, nodes return an empty one; a real one is never empty.
  if (!list || list.length === 0 || !block.blockAccessListHash)
    throw new NetworkError('UPSTREAM_ERROR', { problem: `it has no access list of block ${block.number}` })
  const changes = noChanges()
  for (const { address: mixedCase, storageChanges, balanceChanges, nonceChanges, codeChanges } of list) {
    const address = mixedCase.toLowerCase() as Address
    if (balanceChanges.length > 0) changes.balances.add(address)
    if (nonceChanges.length > 0) changes.nonces.add(address)
    if (codeChanges.length > 0) changes.codes.add(address)
    for (const { key, changes: values } of storageChanges) {
      const last = values.at(-1)
      addSlot(changes, address, wordOf(key), last && BigInt(last.value))
    }
  }
  return changes
}

/** A storage key padded to 32 bytes. */
export function wordOf(key: string): Word {
  return `0x${key.slice(2).toLowerCase().padStart(64, '0')}`
}
