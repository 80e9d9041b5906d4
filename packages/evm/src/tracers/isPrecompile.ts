import type { Rules } from '../forks.ts'
import type { Address } from '../port.ts'

/** Whether a contract of the protocol itself is at the address. */
export function isPrecompile(address: Address, rules: Rules): boolean {
  const number = BigInt(address)
  return (number > 0n && number <= BigInt(rules.lastPrecompile)) || (rules.p256 && number === 0x100n)
}
