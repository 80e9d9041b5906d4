import { randomBytes } from 'node:crypto'
import { quantity } from '../shared/hex.ts'

/** An id of a subscription or a filter, which nobody can guess; without leading zeros, as geth's are. */
export function randomId(): string {
  return quantity(BigInt(`0x${randomBytes(16).toString('hex')}`))
}
