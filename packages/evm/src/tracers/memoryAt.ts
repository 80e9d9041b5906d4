import type { Step } from '../port.ts'
import { TraceTooLargeError } from './tracer.ts'

/** What a step may show beyond the end of its memory. */
const paddingLimit = 1024n * 1024n

/** A range of the memory of a step, with zeros after its end. Throws `TraceTooLargeError` far beyond it. */
export function memoryAt({ memory }: Pick<Step, 'memory'>, offset = 0n, length = 0n): Uint8Array {
  if (length === 0n) return new Uint8Array(0)
  const end = offset + length
  if (end > BigInt(memory.length) + paddingLimit) throw new TraceTooLargeError()
  const bytes = new Uint8Array(Number(length))
  bytes.set(memory.subarray(Number(offset), Number(end)))
  return bytes
}
