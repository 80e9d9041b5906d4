import { type Address, type CallFrame, isCreation, type TracedRun } from '@understudy/evm'
import type { CodeLines } from '../../contracts/codeLines.ts'
import { decodeRevert } from '../../contracts/decode.ts'
import type { KnownContract } from '../../contracts/knownContracts.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import { lastCall } from './failedPath.ts'
import type { Progress } from './progress.ts'
import { codesOf } from './runLines.ts'

/** What is known about the frame in which a run failed, which has the `index`. */
export type FailedFrame = {
  index: number
  /** Its contract, and those of the frames that called it. */
  own: KnownContract | undefined
  others: readonly KnownContract[]
  lines: CodeLines | undefined
  progress: Progress | undefined
}

/** Errors of calls and creations whose code never ran: they belong to the caller. */
const neverRan: ReadonlySet<string | undefined> = new Set([
  'insufficient balance',
  'call depth exceeded',
  'contract address collision',
  'nonce overflow',
])

export const hasRun = (frame: CallFrame): boolean => !neverRan.has(frame.error)

/** Why a frame failed after it had called a function, or without known lines. */
export function reasonOf(frame: CallFrame, { own, others }: Pick<FailedFrame, 'own' | 'others'>): string {
  if (frame.error !== undefined && frame.error !== 'revert') return frame.error
  if (frame.output.length === 0) return 'reverted without a reason'
  const output = hexFromBytes(frame.output)
  const decoded = decodeRevert([own?.abi, ...others.map(({ abi }) => abi)], output)
  return decoded?.reason ?? `reverted with ${output.slice(0, 138)}`
}

/**
 * What the last call of a frame answered, if Solidity refused that: the account has no code, or the answer was too short.
 */
export async function badAnswerOf(
  { view, result: { frames } }: TracedRun,
  { index, lines, progress }: FailedFrame,
): Promise<string | undefined> {
  const frame = frames[index] as CallFrame
  if (frame.error !== 'revert' || frame.output.length > 0) return undefined
  if (progress?.withoutCode) return withoutCode(progress.withoutCode)
  const call = lastCall(frames, index)
  if (!call || call.error !== undefined || call.input.length < 4 || isCreation(call)) return undefined
  const { length } = call.output
  if (length === 0 && (await codesOf(view, frames)(call.to)).length === 0) return withoutCode(call.to)
  if (length >= 32 && length % 32 === 0) return undefined
  const called = progress?.call && lines?.near(progress.call.pc)
  // What decodes the answer has no location of its own.
  const failed = progress && (lines?.near(progress.pc) ?? lines?.near(progress.jumps.at(-1)?.pc ?? -1))
  if (!called || (failed && (called.file !== failed.file || called.line !== failed.line))) return undefined
  return `${call.to} returned ${length} bytes, fewer than expected`
}

const withoutCode = (address: Address) => `called ${address}, which has no code`
