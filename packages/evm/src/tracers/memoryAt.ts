import type { Step } from '../port.ts'
import { TraceTooLargeError } from './tracer.ts'

/** What a step may show beyond the end of its memory. */
const paddingLimit = 1024n * 1024n

/**
 * What a KECCAK256 hashes. `undefined` for what is far beyond the memory, which go-ethereum does not show either, and where
 * there is nothing to hash.
 */
export function hashedBy({ stack, memory }: Pick<Step, 'stack' | 'memory'>): Uint8Array | undefined {
  const [offset, length] = [stack.at(-1), stack.at(-2)]
  if (offset === undefined || length === undefined) return undefined
  return isWithin(memory, offset, length) ? memoryAt({ memory }, offset, length) : undefined
}

const isWithin = (memory: Uint8Array, offset: bigint, length: bigint) =>
  length === 0n || offset + length <= BigInt(memory.length) + paddingLimit

/** A range of the memory of a step, with zeros after its end. Throws `TraceTooLargeError` far beyond it. */
export function memoryAt({ memory }: Pick<Step, 'memory'>, offset = 0n, length = 0n): Uint8Array {
  if (length === 0n) return new Uint8Array(0)
  if (!isWithin(memory, offset, length)) throw new TraceTooLargeError()
  const bytes = new Uint8Array(Number(length))
  bytes.set(memory.subarray(Number(offset), Number(offset + length)))
  return bytes
}
