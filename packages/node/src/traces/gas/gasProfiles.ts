import type { Address, CallType, TracedRun } from '@understudy/evm'
import type { CodePlace } from '../../contracts/codeLines.ts'
import type { KnownContract, KnownContracts } from '../../contracts/knownContracts.ts'
import type { LoadRunLines, RunPlace } from '../runLines.ts'
import type { ColdAccess, LineAccesses } from './accesses.ts'
import { type Measured, type MeasuredLine, measureGas } from './measureGas.ts'

/** So many contracts are named: each may be asked for at an explorer. */
const namedContracts = 100
/** The other lines are one number. */
const listedLines = 5000

/** What a line did itself, without the contracts and functions that it calls. */
export type LineGas = RunPlace &
  Pick<MeasuredLine, 'gas' | 'refund' | 'memoryGas'> & { accesses: LineAccesses | undefined }

/** All calls of a function, or of a contract, that one other makes. Its place is where the function begins. */
export type CallGas = RunPlace & {
  /** The position of its caller in the list, before this one; `undefined` for the message itself. */
  parent: number | undefined
  type: CallType | 'FUNCTION'
  /** 0 for a function that the compiler moved into its caller. */
  calls: number
  /** Without that of the calls in it, and with it. */
  gas: bigint
  total: bigint
  /** Of a call of a contract: the most memory that it had, in bytes, and what the growth cost, as part of `total`. */
  memory: { bytes: number; gas: bigint } | undefined
}

/**
 * `intrinsic`, plus the gas of all lines (`others` is that of those that are not listed), minus `refund`, is `gasUsed`. So
 * is `intrinsic`, plus the own gas of all calls, minus `refund`.
 */
export type GasProfile = {
  gasUsed: bigint
  /** What a transaction costs before it runs, and what it pays for its data at least (EIP-7623). */
  intrinsic: bigint
  refund: bigint
  /** Before the limit: a fifth of the gas used, until London the half. Without those of lines, it is that of authorizations. */
  refundEarned: bigint
  /** The most expensive first. */
  lines: LineGas[]
  others: bigint
  calls: CallGas[]
  /** The first cold accesses, in order. */
  cold: ColdAccess<RunPlace>[]
}

/** Runs a message once more to measure it. */
export type GasProfiles = { of(run: TracedRun): Promise<GasProfile> }

type Needs = { loadLines: LoadRunLines; abis: KnownContracts }

export function createGasProfiles({ loadLines, abis }: Needs): GasProfiles {
  return {
    async of(run) {
      const { frames, gasUsed, gasRefund: refund } = run.result
      const measured = await measureGas(run, await loadLines(run, frames.keys()))
      const lines = measured.lines.slice(0, listedLines)
      const others = measured.lines.slice(listedLines).reduce((sum, { gas }) => sum + gas, 0n)
      const addresses = [...lines, ...measured.calls].map(({ address }) => address)
      const known = await abis.load([...new Set(addresses)].slice(0, namedContracts))
      const placeOf = ({ address, place }: { address: Address; place: CodePlace | undefined }): RunPlace => ({
        address,
        contract: known.get(address)?.name,
        file: place?.file,
        line: place?.line,
        function: place?.function,
      })
      return {
        gasUsed,
        intrinsic: gasUsed + refund - (frames[0]?.gasUsed ?? 0n),
        refund,
        refundEarned: measured.refundEarned,
        lines: lines.map((line) => {
          const { gas, refund: earned, memoryGas, accesses } = line
          return { ...placeOf(line), gas, refund: earned, memoryGas, accesses }
        }),
        others,
        calls: callsOf(measured, placeOf, known),
        cold: measured.cold.map(({ line, account, slot }) => ({ line: placeOf(line), account, slot })),
      }
    },
  }
}

function callsOf(
  { calls }: Measured,
  placeOf: (call: Measured['calls'][number]) => RunPlace,
  known: ReadonlyMap<Address, KnownContract>,
): CallGas[] {
  const totals = calls.map(({ gas }) => gas)
  for (let index = calls.length - 1; index > 0; index--) {
    const parent = calls[index]?.parent ?? 0
    totals[parent] = (totals[parent] ?? 0n) + (totals[index] ?? 0n)
  }
  return calls.map((call, index) => {
    const { parent, type, selector, calls: count, gas, memory } = call
    const place = placeOf(call)
    const named = selector && known.get(call.address)?.abi.functions.get(selector)?.name
    return {
      ...place,
      function: place.function ?? named,
      parent,
      type,
      calls: count,
      gas,
      total: totals[index] ?? gas,
      memory: type === 'FUNCTION' ? undefined : memory,
    }
  })
}
