import { hexFromBytes } from '../bytes.ts'
import { keccak256Hex } from '../keccak.ts'
import type { Hex, Word } from '../port.ts'
import { hashedBy } from './memoryAt.ts'
import type { TracedRun } from './tracer.ts'

const keccak256 = 0x20

/** go-ethereum's `keccak256PreimageTracer`: what KECCAK256 hashed, by hash. */
export async function keccakPreimageTracer({ replay }: TracedRun): Promise<Record<Word, Hex>> {
  const preimages: Record<Word, Hex> = {}
  await replay({
    steps: { operations: new Set([keccak256]) },
    onStep(step) {
      if (step.op !== keccak256 || step.error !== undefined) return
      const preimage = hashedBy(step)
      if (preimage) preimages[keccak256Hex(preimage)] = hexFromBytes(preimage)
    },
  })
  return preimages
}
