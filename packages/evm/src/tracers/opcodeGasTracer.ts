import { isCreation } from '../callFrames.ts'
import { rulesOf } from '../forks.ts'
import { replayEvents } from './events.ts'
import type { TracedRun } from './tracer.ts'

export type OpcodeGas = { opcode: string; count: number; gasUsed: number }

/** How often each operation ran and the gas that it used itself, without what it gave to calls; the most used first. */
export async function opcodeGasTracer(run: TracedRun): Promise<OpcodeGas[]> {
  const stipend = BigInt(rulesOf(run.block).prices.callStipend)
  const found = new Map<string, { count: number; gasUsed: bigint }>()
  let last = { count: 0, gasUsed: 0n }
  await replayEvents(
    run,
    {
      enter(frame) {
        const { type, depth, gas, value } = frame
        if (depth === 0 || isCreation(frame) || type === 'SELFDESTRUCT') return
        last.gasUsed -= value > 0n && type !== 'DELEGATECALL' ? gas - stipend : gas
      },
      step({ name, cost }) {
        last = found.get(name) ?? { count: 0, gasUsed: 0n }
        last.count++
        last.gasUsed += cost
        found.set(name, last)
      },
    },
    { stack: false, memory: false },
  )
  return [...found]
    .map(([opcode, { count, gasUsed }]) => ({ opcode, count, gasUsed: Number(gasUsed) }))
    .sort((a, b) => b.gasUsed - a.gasUsed || (a.opcode < b.opcode ? -1 : 1))
}
