import type { Address } from '@understudy/evm'
import type { SourceFile } from '../sourceFile.ts'

/** What an explorer says of a verified contract. */
export type VerifiedContract = {
  name: string
  /** JSON. */
  abi: string
  /** Where the explorer takes it for a proxy: the contract that stands behind it. */
  implementation: Address | undefined
  /** The compiler's version. */
  compiler: string | undefined
  /** The contract's own file first, where the explorer tells which that is. */
  files: SourceFile[]
}

/** A service that holds verified contracts of upstream's chain. */
export type AbiSource = {
  readonly name: string
  /** `undefined` when the contract is not verified there. Throws `SourceFailure`, or what the connection throws. */
  load(address: Address, signal: AbortSignal): Promise<VerifiedContract | undefined>
}

/** Why a source could not say; in words that hold no URL and no key. */
export class SourceFailure extends Error {
  /** For how long asking again is of no use, in milliseconds. */
  readonly pauseMs: number

  constructor(problem: string, { pauseMs, cause }: { pauseMs: number; cause?: unknown }) {
    super(problem, { cause })
    this.name = 'SourceFailure'
    this.pauseMs = pauseMs
  }
}

export const pauses = {
  /** The source takes so many requests a second, and got more. */
  rateLimited: 1_000,
  /** It is down, or answers something else than it should. */
  down: 60_000,
  /** It will not serve us: a wrong key, a chain that it does not know, no requests left for the day. */
  refused: 600_000,
}

const addressPattern = /^0x[\da-f]{40}$/i

/** An address in an answer; explorers write an empty text, or `null`, when there is none. */
export function addressFromAnswer(text: unknown): Address | undefined {
  if (typeof text !== 'string' || !addressPattern.test(text) || /^0x0+$/.test(text)) return undefined
  return text.toLowerCase() as Address
}
