import type { CallFrame, TracedRun } from '@understudy/evm'
import type { KnownContracts } from '../contracts/knownContracts.ts'
import type { LoadRunLines, RunPlace } from './runLines.ts'

/** Where an operation of a frame comes from. */
export type StepPlaces = (run: TracedRun, frame: number, pc: number) => Promise<RunPlace>

type Needs = { loadLines: LoadRunLines; abis: KnownContracts }

export function createStepPlaces({ loadLines, abis }: Needs): StepPlaces {
  return async (run, index, pc) => {
    const { to } = run.result.frames[index] as CallFrame
    const lines = (await loadLines(run, [index])).get(index)
    const place = lines?.near(pc) ?? lines?.at(pc)
    const known = (await abis.load([to])).get(to)
    return { address: to, contract: known?.name, file: place?.file, line: place?.line, function: place?.function }
  }
}
