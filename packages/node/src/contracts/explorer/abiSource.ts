import type { Address } from '@understudy/evm'
import { z } from 'zod'

/** An explorer's data about a verified contract. */
export type VerifiedContract = {
  name: string
  /** JSON. */
  abi: string
  /** For a proxy, its implementation according to the explorer. */
  implementation: Address | undefined
  /** The compiler's version. */
  compiler: string | undefined
  /** The contract's own file first, if the explorer identifies it. */
  files: SourceFile[]
}

/** A service with verified contracts of upstream's chain. */
export type AbiSource = {
  readonly name: string
  /** `undefined` if the contract is not verified there. Throws `SourceFailure`, or a connection error. */
  load(address: Address, signal: AbortSignal): Promise<VerifiedContract | undefined>
}

/** Why a source did not answer, without URLs and keys. */
export class SourceFailure extends Error {
  /** How long a retry is useless, in milliseconds. */
  readonly pauseMs: number

  constructor(problem: string, { pauseMs, cause }: { pauseMs: number; cause?: unknown }) {
    super(problem, { cause })
    this.name = 'SourceFailure'
    this.pauseMs = pauseMs
  }
}

export const pauses = {
  /** The source's rate limit was exceeded. */
  rateLimited: 1_000,
  /** It is down, or returned an invalid answer. */
  down: 60_000,
  /** It refuses to serve: a wrong key, an unsupported chain, or an exhausted daily quota. */
  refused: 600_000,
}

const addressPattern = /^0x[\da-f]{40}$/i

/** An address in an answer; explorers use an empty string or `null` for none. */
export function addressFromAnswer(text: unknown): Address | undefined {
  if (typeof text !== 'string' || !addressPattern.test(text) || /^0x0+$/.test(text)) return undefined
  return text.toLowerCase() as Address
}

/** A source file of a contract. */
export type SourceFile = { path: string; content: string }

/** Maximum number of characters stored of an explorer's sources for one contract. */
export const sourceLimit = 4_000_000

const Sources = z.record(z.string(), z.object({ content: z.string() }))

/** The files of a compiler's standard JSON, the one at `first` first; none for other input. */
export function sourceFilesOf(sources: unknown, first?: string): SourceFile[] {
  const { success, data } = Sources.safeParse(sources)
  if (!success) return []
  const files = Object.entries(data).map(([path, { content }]) => ({ path, content }))
  return [...files.filter(({ path }) => path === first), ...files.filter(({ path }) => path !== first)]
}

/** All files, or none if they are too large to store. */
export function withinSourceLimit(files: readonly SourceFile[]): SourceFile[] {
  const size = files.reduce((sum, { path, content }) => sum + path.length + content.length, 0)
  return size > sourceLimit ? [] : [...files]
}
