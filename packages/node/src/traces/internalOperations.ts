import type { Address, Done } from '@understudy/evm'

/** An ether transfer inside a transaction, or a contract that it created or destroyed. Wei. */
export type InternalOperation = {
  type: 'transfer' | 'selfdestruct' | 'create' | 'create2'
  from: Address
  to: Address
  value: bigint
}

const typeNames = { CALL: 'transfer', SELFDESTRUCT: 'selfdestruct', CREATE: 'create', CREATE2: 'create2' } as const

/** The operations of the successful inner calls of a transaction, without the outermost call. */
export function internalOperations({ frames }: Done): InternalOperation[] {
  const operations: InternalOperation[] = []
  let failedAt = Number.POSITIVE_INFINITY
  for (const { type, depth, from, to, value, error } of frames) {
    if (depth <= failedAt) failedAt = error === undefined ? Number.POSITIVE_INFINITY : depth
    if (depth >= failedAt || depth === 0 || !(type in typeNames)) continue
    const name = typeNames[type as keyof typeof typeNames]
    if (name !== 'transfer' || value > 0n) operations.push({ type: name, from, to, value })
  }
  return operations
}
