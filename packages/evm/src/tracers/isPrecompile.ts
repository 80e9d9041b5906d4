import type { ForkRules } from '../forks.ts'
import type { Address } from '../port.ts'

/** The number of the precompile that is usually at an address; `undefined` when none is. */
export function precompileNumber(address: Address, rules: ForkRules): number | undefined {
  return isPrecompile(address, rules) ? Number(BigInt(address)) : undefined
}

/** Whether a contract of the protocol itself is at the address. */
export function isPrecompile(address: Address, rules: ForkRules): boolean {
  const number = BigInt(address)
  return (number > 0n && number <= BigInt(rules.lastPrecompile)) || (rules.p256 && number === 0x100n)
}
