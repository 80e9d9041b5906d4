import type { HaltReason } from './port.ts'

/** The reasons in the order of their numbers in assembly/halts.ts, where 0 is none and 1 is a revert. */
const reasons: readonly HaltReason[] = [
  'out of gas',
  'stack underflow',
  'stack overflow',
  'invalid jump',
  'invalid opcode',
  'write protection',
  'return data out of bounds',
  'call depth exceeded',
  'insufficient balance',
  'contract address collision',
  'max code size exceeded',
  'max initcode size exceeded',
  'invalid code: must not begin with 0xef',
  'contract creation code storage out of gas',
  'nonce overflow',
  'precompile failed',
]

export const outOfGas = 2
export const insufficientBalance = 10

/** Why a frame ended; `undefined` if it succeeded. */
export function haltFromNumber(halt: number): HaltReason | 'revert' | undefined {
  if (halt === 0) return undefined
  return halt === 1 ? 'revert' : reasons[halt - 2]
}
