import { opcodes } from '@understudy/evm'
import type { Random } from '@understudy/testkit'
import type { HostileProgram } from './programs.ts'

const codes = opcodes.map(({ code }) => code)

/** Random code: any bytes, or operations after small pushes, so that the stack is not empty. */
export function randomProgram(random: Random, index: number): HostileProgram {
  const length = 1 + random.below(random.pick([20, 200, 2000, 24_576]))
  const bytes: number[] = []
  const isSensible = random.below(3) > 0
  while (bytes.length < length)
    if (!isSensible) bytes.push(random.below(256))
    else if (random.below(2) === 0) bytes.push(0x60, random.below(random.pick([2, 64, 256])))
    else bytes.push(random.pick(codes))
  return {
    name: `random program ${index}`,
    code: `0x${Buffer.from(bytes.slice(0, 24_576)).toString('hex')}`,
    data: `0x${'ab'.repeat(random.below(100))}`,
  }
}
