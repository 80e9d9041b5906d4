import { type Done, type Fork, forks, type Rejected } from '@understudy/evm'
import type { RunDifference } from './difference.ts'

/**
 * Why a transaction went otherwise here: another rule of execution, the price or a fee, a precompile, a state that was
 * another before it, an earlier transaction of the same block that differs, or none that is known.
 */
export type Cause = 'rule' | 'fee' | 'precompile' | 'state' | 'earlier' | 'unknown'

/** `fork`: the one by whose rules the transaction reproduces. */
export type LikelyCause = { cause: Cause; explanation: string; fork?: Fork }

type Evidence = {
  fork: Fork
  result: Done | Rejected
  difference: RunDifference
  /** Whether an earlier transaction of the block left another state, which could not be set right. */
  isDisturbed: boolean
  /** Values that the transaction found there and not here. */
  otherState: readonly string[]
  /** The forks to try; `undefined` for all. */
  candidates: ReadonlySet<Fork> | undefined
  /** Whether it comes out as there by the rules of another fork, or without what the chain has otherwise. */
  agreesWith(change: { fork?: Fork; precompiles?: undefined }): Promise<boolean>
  hasMovedPrecompiles: boolean
}

const feeReasons = /FUNDS|FEE_CAP|TIP_ABOVE/

/** Finds the likely cause: what makes the run come out as there proves most. */
export async function likelyCause(evidence: Evidence): Promise<LikelyCause> {
  const { fork, result, difference, otherState, candidates } = evidence
  if (evidence.isDisturbed)
    return {
      cause: 'earlier',
      explanation: 'An earlier transaction of its block differs, and this one ran on its state.',
    }
  const at = forks.indexOf(fork)
  const nearest = forks
    .filter((other) => other !== fork && (candidates?.has(other) ?? true))
    .sort((a, b) => Math.abs(forks.indexOf(a) - at) - Math.abs(forks.indexOf(b) - at))
  for (const other of nearest)
    if (await evidence.agreesWith({ fork: other }))
      return {
        cause: 'rule',
        fork: other,
        explanation: `It reproduces by the rules of ${other}, and not by those of ${fork}: see --hardfork.`,
      }
  if (evidence.hasMovedPrecompiles && (await evidence.agreesWith({ precompiles: undefined })))
    return { cause: 'precompile', explanation: `It reproduces with the precompiles of ${fork} as Ethereum has them.` }
  if (otherState.length > 0)
    return {
      cause: 'state',
      explanation: `The live chain had another state before it: ${otherState.slice(0, 3).join('; ')}.`,
    }
  if (result.type === 'rejected')
    return feeReasons.test(result.reason)
      ? { cause: 'fee', explanation: 'Its sender could not pay here what it paid there.' }
      : {
          cause: 'rule',
          explanation: `The rules of ${fork} refuse it, and no other fork that is known makes it valid.`,
        }
  const called = result.frames.map(({ to }) => to).find((to) => isLowAddress(to))
  if (called) return { cause: 'precompile', explanation: `It calls ${called}, which the chain may have otherwise.` }
  if (result.halt === 'invalid opcode')
    return { cause: 'rule', explanation: `It runs an opcode that ${fork} does not have, and no fork that is known.` }
  return {
    cause: 'unknown',
    explanation:
      difference.field === 'gasUsed'
        ? 'No fork that is known uses this gas: the chain may charge for something else, such as data on L1.'
        : 'No fork that is known makes it come out as there.',
  }
}

/** Where chains have precompiles. Those that every fork has are told by their results. */
function isLowAddress(address: string): boolean {
  const number = BigInt(address)
  return number > 9n && number < 0x1_0000n
}
