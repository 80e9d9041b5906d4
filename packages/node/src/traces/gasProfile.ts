import { type Address, isCreation, replayEvents, type TracedRun } from '@understudy/evm'
import type { CodeLines, CodePlace } from '../contracts/codeLines.ts'
import type { KnownContracts } from '../contracts/knownContracts.ts'
import type { LoadRunLines, RunPlace } from './runLines.ts'

/** The contracts of so many lines are named: each may be asked for at an explorer. */
const namedLines = 1000

/** The gas that a line used itself, without that of the contracts and functions that it calls. */
export type LineGas = RunPlace & { gas: bigint }

/** `intrinsic`, plus the gas of all lines, minus `refund`, is `gasUsed`. */
export type GasProfile = {
  gasUsed: bigint
  /** What a transaction costs before it runs, and what it pays for its data at least (EIP-7623). */
  intrinsic: bigint
  refund: bigint
  /** The most expensive first. */
  lines: LineGas[]
}

export type GasProfiles = { of(run: TracedRun): Promise<GasProfile> }

type Needs = { loadLines: LoadRunLines; abis: KnownContracts }

export function createGasProfiles({ loadLines, abis }: Needs): GasProfiles {
  return {
    async of(run) {
      const { frames, gasUsed, gasRefund: refund } = run.result
      const lines = await loadLines(run, frames.keys())
      const used = await measure(run, lines)
      const known = await abis.load(used.slice(0, namedLines).map(({ address }) => address))
      return {
        gasUsed,
        intrinsic: gasUsed + refund - (frames[0]?.gasUsed ?? 0n),
        refund,
        lines: used.map((line) => ({ ...line, contract: known.get(line.address)?.name })),
      }
    },
  }
}

type Used = Omit<LineGas, 'contract'>
type OpenFrame = { lines: CodeLines | undefined; address: Address; at: Used; isInside: boolean; spent: bigint }

async function measure(run: TracedRun, lines: ReadonlyMap<number, CodeLines>): Promise<Used[]> {
  const used = new Map<string, Used>()
  const lineOf = (address: Address, place: CodePlace | undefined): Used => {
    const key = `${address}:${place?.file}:${place?.line}:${place?.function}`
    const known = used.get(key)
    if (known) return known
    const line = { address, function: place?.function, file: place?.file, line: place?.line, gas: 0n }
    used.set(key, line)
    return line
  }
  const open: OpenFrame[] = []
  await replayEvents(
    run,
    {
      enter(frame, index) {
        const caller = open.at(-1)
        // What it was given is in the cost of the call, but not in that of a creation.
        if (caller && !isCreation(frame) && frame.type !== 'SELFDESTRUCT') add(caller, -frame.gas)
        const own = lines.get(index)
        // Without code of its own, its gas is that of the line that called it.
        const at = own || !caller ? lineOf(frame.to, undefined) : caller.at
        open.push({ lines: own, address: frame.to, at, isInside: false, spent: 0n })
      },
      step({ pc, cost }) {
        const frame = open.at(-1)
        if (!frame) return
        const place = frame.lines?.at(pc)
        if (!frame.lines) frame.at = lineOf(frame.address, undefined)
        else if (place?.function !== undefined || (place && !frame.isInside)) {
          frame.isInside = place.function !== undefined
          frame.at = lineOf(frame.address, place)
        }
        add(frame, cost)
      },
      exit(frame) {
        const ended = open.pop()
        if (!ended) return
        // What a failure consumed, a precompile costs, and the code of a new contract.
        add(ended, frame.gasUsed - ended.spent)
        const caller = open.at(-1)
        if (caller) caller.spent += frame.gasUsed
      },
    },
    { stack: false, memory: false },
  )
  return [...used.values()].filter(({ gas }) => gas !== 0n).sort((a, b) => Number(b.gas - a.gas))
}

function add(frame: OpenFrame, gas: bigint): void {
  frame.at.gas += gas
  frame.spent += gas
}
