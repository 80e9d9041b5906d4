import { randomBytes } from 'node:crypto'
import { quantity } from '../shared/hex.ts'

/** An unguessable id of a subscription or filter; without leading zeros, as in geth. */
export function randomId(): string {
  return quantity(BigInt(`0x${randomBytes(16).toString('hex')}`))
}
