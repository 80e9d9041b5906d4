import { hexFromBytes } from '../bytes.ts'
import { keccak256Hex } from '../keccak.ts'
import type { Hex, Word } from '../port.ts'
import { memoryAt } from './memoryAt.ts'
import type { TracedRun } from './tracer.ts'

const keccak256 = 0x20

/** go-ethereum's `keccak256PreimageTracer`: what KECCAK256 hashed, by hash. */
export async function keccakPreimageTracer({ replay }: TracedRun): Promise<Record<Word, Hex>> {
  const preimages: Record<Word, Hex> = {}
  await replay({
    steps: { operations: new Set([keccak256]) },
    onStep(step) {
      if (step.op !== keccak256 || step.stack.length < 2 || step.error !== undefined) return
      const preimage = memoryAt(step, step.stack.at(-1), step.stack.at(-2))
      preimages[keccak256Hex(preimage)] = hexFromBytes(preimage)
    },
  })
  return preimages
}
