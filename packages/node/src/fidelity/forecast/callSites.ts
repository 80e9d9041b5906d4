import { type CallFrame, type Done, replayEvents, type Step, type TracedRun } from '@understudy/evm'
import type { KnownContracts } from '../../contracts/knownContracts.ts'
import type { LoadRunLines, SourceLocation } from '../../traces/runs/runLines.ts'
import { pathTo } from './effect.ts'
import { functionOf } from './functionTally.ts'

const call = new Set([0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa])
const withGasArgument = new Set([0xf1, 0xf2, 0xf4, 0xfa])

/** How a frame came to be called. */
export type CallSite = {
  /** The operation of its caller. */
  pc: number
  /** Its caller named the amount of gas, instead of giving all that a call may have. */
  isNamed: boolean
}

/** What a replay shows of the frames from the message to a broken one. */
export type BrokenPath = {
  path: readonly number[]
  /** Of all of them but the message. */
  sites: ReadonlyMap<number, CallSite>
  /** The last operation of the broken frame that is known; `undefined` if its code did not run. */
  last: number | undefined
}

/** Runs a message again, and notes how its frames came to the broken one. */
export async function followTo(run: TracedRun, broken: number): Promise<BrokenPath> {
  const path = pathTo(run.result.frames, broken)
  const sites = new Map<number, CallSite>()
  const latest: CallSite[] = []
  let last: number | undefined
  let isEntered = false
  await replayEvents(
    run,
    {
      enter({ depth }, index) {
        const site = latest[depth - 1]
        if (site && path.includes(index)) sites.set(index, site)
        if (index === broken) isEntered = true
      },
      step(step) {
        latest[step.depth] = siteOf(step)
        if (isEntered && step.depth === (run.result.frames[broken] as CallFrame).depth) last = step.pc
      },
      exit(_, index) {
        if (index === broken) isEntered = false
      },
    },
    { operations: call, stack: withGasArgument, words: 1, memory: false },
  )
  return { path, sites, last }
}

/** A call gets at most all but a 64th of what is left (EIP-150). */
function siteOf({ pc, op, gas, stack }: Step): CallSite {
  const asked = withGasArgument.has(op) ? stack.at(-1) : undefined
  return { pc, isNamed: asked !== undefined && asked < gas - gas / 64n }
}

/** The innermost frame to which code named as much gas as in another run. */
export function namedFrame({ path, sites }: BrokenPath, now: Done, run: Done): number | undefined {
  return [...path].reverse().find((index) => {
    const { gas } = run.frames[index] as CallFrame
    return sites.get(index)?.isNamed === true && gas === now.frames[index]?.gas
  })
}

export type Locate = (run: TracedRun, frame: number, pc: number | undefined) => Promise<SourceLocation>

/** Finds the source of an operation, or says at least in which function of which contract it is. */
export function createLocate({ loadLines, abis }: { loadLines: LoadRunLines; abis: KnownContracts }): Locate {
  return async (run, index, pc) => {
    const frame = run.result.frames[index] as CallFrame
    const lines = pc === undefined ? undefined : (await loadLines(run, [index])).get(index)
    const found = pc === undefined ? undefined : (lines?.near(pc) ?? lines?.at(pc))
    const known = (await abis.load([frame.to])).get(frame.to)
    return {
      address: frame.to,
      contract: known?.name,
      file: found?.file,
      line: found?.line,
      function: found?.function ?? functionOf(frame, known),
    }
  }
}
