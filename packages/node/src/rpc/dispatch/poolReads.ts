import type { Method } from '../defineMethod.ts'
import type { Services } from '../services.ts'

/** Where methods that read the pending block by default take another one. */
const blockPosition = 1

/** Whether a call needs the waiting transactions. Of several nodes, only the one that seals has them. */
export function readsPool(
  { role, readsPool }: Method,
  params: readonly unknown[],
  { mining }: Pick<Services, 'mining'>,
): boolean {
  if (role !== 'read') return false
  if (readsPool === 'always') return true
  const isPending = params.some(namesPending)
  if (readsPool === 'when pending') return isPending
  // With instant mining, the pending block is empty on every node.
  if (mining.mode().type === 'instant') return false
  return isPending || (readsPool === 'by default' && (params[blockPosition] ?? undefined) === undefined)
}

function namesPending(param: unknown): boolean {
  if (param === 'pending') return true
  if (typeof param !== 'object' || param === null) return false
  const { blockNumber, fromBlock, toBlock } = param as Record<string, unknown>
  return [blockNumber, fromBlock, toBlock].includes('pending')
}
