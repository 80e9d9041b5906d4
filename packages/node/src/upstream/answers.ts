import type { Hex, Word } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromHex } from '../shared/hex.ts'

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
  if (!isHex(answer, /^0x([\da-f]{2})*$/i)) throw unexpected(method, answer, 'bytes')
  return bytesFromHex(answer)
}

/** Objects whose fields are not checked here. */
export function listFromAnswer(method: string, answer: unknown): Record<string, unknown>[] {
  if (!Array.isArray(answer)) throw unexpected(method, answer, 'a list')
  return answer
}

/** A block with a position in the chain; `tag` is the requested one. */
export function blockFromAnswer(tag: string, answer: unknown): RawBlock {
  if (answer === null) throw new NetworkError('UPSTREAM_ERROR', { problem: `it has no block ${tag}` })
  const { number, timestamp, hash, parentHash } = (answer ?? {}) as Partial<RawBlock>
  const isBlock =
    [number, timestamp].every((it) => isHex(it, /^0x[\da-f]{1,16}$/i)) &&
    [hash, parentHash].every((it) => isHex(it, /^0x[\da-f]{64}$/i))
  if (!isBlock) throw unexpected('eth_getBlockByNumber', answer, 'a block')
  return answer as RawBlock
}

function isHex(answer: unknown, pattern: RegExp): answer is Hex {
  return typeof answer === 'string' && pattern.test(answer)
}

function unexpected(method: string, answer: unknown, expected: string): NetworkError {
  const text = (JSON.stringify(answer) ?? 'nothing').slice(0, 100)
  return new NetworkError('UPSTREAM_ERROR', { problem: `${method}: expected ${expected}, got ${text}` })
}
