import type { Hex, Word } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import { decodeHex } from '../shared/hex.ts'

/** A block as upstream returned it. */
export type RawBlock = { number: Hex; hash: Word; parentHash: Word; timestamp: Hex } & Record<string, unknown>

/** Validates upstream's answers, so that no invalid value is cached. Each function throws `UPSTREAM_ERROR`. */

/** A number of at most 32 bytes. Some servers return `0x` for an empty slot. */
export function numberFromAnswer(method: string, answer: unknown): bigint {
  if (answer === '0x') return 0n
  if (!isHex(answer, /^0x[\da-f]{1,64}$/i)) throw unexpected(method, answer, 'a number')
  return BigInt(answer)
}

export function bytesFromAnswer(method: string, answer: unknown): Uint8Array {
  const isEven = typeof answer === 'string' && answer.startsWith('0x') && answer.length % 2 === 0
  // A regular expression would overflow the stack over ten million digits.
  const bytes = isEven ? decodeHex(answer) : undefined
  if (!bytes) throw unexpected(method, answer, 'bytes')
  return bytes
}

/** Objects whose fields are not checked here. */
export function listFromAnswer(method: string, answer: unknown): Record<string, unknown>[] {
  if (!Array.isArray(answer)) throw unexpected(method, answer, 'a list')
  return answer
}

/**
 * The most that the fields of a block may say. What follows from one reaches local blocks, which no later block makes undone: their
 * times only grow, and their fees fall slowly.
 */
const most = {
  number: BigInt(Number.MAX_SAFE_INTEGER),
  /** The end of the year 9999. */
  timestamp: 253_402_300_799n,
  gasLimit: 2n ** 64n - 1n,
  gasUsed: 2n ** 64n - 1n,
  baseFeePerGas: 2n ** 64n - 1n,
  /** The price of blobs is exponential in it. */
  excessBlobGas: 2n ** 32n - 1n,
  blobGasUsed: 2n ** 32n - 1n,
  difficulty: 2n ** 256n - 1n,
  slotNumber: 2n ** 64n - 1n,
}
const required = new Set(['number', 'timestamp'])
/** Of text, in bytes. */
const words = ['hash', 'parentHash']
const otherWords = [
  ...['stateRoot', 'transactionsRoot', 'receiptsRoot', 'mixHash', 'withdrawalsRoot', 'parentBeaconBlockRoot'],
  ...['requestsHash', 'blockAccessListHash'],
]
const longest = {
  ...Object.fromEntries(otherWords.map((name) => [name, 32])),
  miner: 20,
  logsBloom: 256,
  extraData: 65_536,
}

/** A block with a position in the chain, and a header within bounds; `tag` is the requested one. */
export function blockFromAnswer(tag: string, answer: unknown): RawBlock {
  if (answer === null) throw new NetworkError('UPSTREAM_ERROR', { problem: `it has no block ${tag}` })
  const method = 'eth_getBlockByNumber'
  if (typeof answer !== 'object' || answer === undefined) throw unexpected(method, answer, 'a block')
  const block = answer as Record<string, unknown>
  for (const name of words)
    if (!isHex(block[name], /^0x[\da-f]{64}$/i)) throw unexpected(`${name} of ${method}`, block[name], 'a word')
  for (const [name, limit] of Object.entries(most)) {
    const value = block[name]
    // Chains leave fields out in their own ways.
    if (!required.has(name) && (value === undefined || value === null || value === '0x')) continue
    if (!isHex(value, /^0x[\da-f]{1,64}$/i) || BigInt(value) > limit)
      throw unexpected(`${name} of ${method}`, value, `a number of at most ${limit}`)
  }
  for (const [name, bytes] of Object.entries(longest)) {
    const value = block[name] ?? '0x'
    const isLong = typeof value === 'string' && value.length > 2 + 2 * bytes
    if (isLong || !isHex(value, /^0x([\da-f]{2})*$/i))
      throw unexpected(`${name} of ${method}`, value, `at most ${bytes} bytes`)
  }
  return answer as RawBlock
}

function isHex(answer: unknown, pattern: RegExp): answer is Hex {
  return typeof answer === 'string' && pattern.test(answer)
}

function unexpected(method: string, answer: unknown, expected: string): NetworkError {
  const text = (JSON.stringify(answer) ?? 'nothing').slice(0, 100)
  return new NetworkError('UPSTREAM_ERROR', { problem: `${method}: expected ${expected}, got ${text}` })
}
