import type { Address, TracedRun } from '@understudy/evm'
import type { CodeLocation } from '../../contracts/codeLines.ts'
import type { KnownContract, KnownContracts } from '../../contracts/knownContracts.ts'
import type { LoadRunLines, SourceLocation } from '../runs/runLines.ts'
import { compareGas, type GasDifference } from './compareGas.ts'
import type { CallGas, GasProfile } from './gasProfile.ts'
import { type Measured, measureGas } from './measureGas.ts'

/** So many contracts are named: each may be asked for at an explorer. */
const namedContracts = 100
/** The other lines are one number. */
const listedLines = 5000

/** Runs each message once more to measure it. */
export type GasProfiles = {
  of(run: TracedRun): Promise<GasProfile>
  compare(a: TracedRun, b: TracedRun): Promise<GasDifference & { a: GasProfile; b: GasProfile }>
}

type Needs = { loadLines: LoadRunLines; abis: KnownContracts }

export function createGasProfiles({ loadLines, abis }: Needs): GasProfiles {
  async function of(run: TracedRun): Promise<GasProfile> {
    const { frames, gasUsed, gasRefund: refund } = run.result
    const measured = await measureGas(run, await loadLines(run, frames.keys()))
    const lines = measured.lines.slice(0, listedLines)
    const others = measured.lines.slice(listedLines).reduce((sum, { gas }) => sum + gas, 0n)
    const addresses = [...lines, ...measured.calls].map(({ address }) => address)
    const known = await abis.load([...new Set(addresses)].slice(0, namedContracts))
    const locationOf = ({
      address,
      location,
    }: {
      address: Address
      location: CodeLocation | undefined
    }): SourceLocation => ({
      address,
      contract: known.get(address)?.name,
      file: location?.file,
      line: location?.line,
      function: location?.function,
    })
    return {
      gasUsed,
      intrinsic: gasUsed + refund - (frames[0]?.gasUsed ?? 0n),
      refund,
      refundEarned: measured.refundEarned,
      lines: lines.map((line) => {
        const { gas, refund: earned, memoryGas, accesses } = line
        return { ...locationOf(line), gas, refund: earned, memoryGas, accesses }
      }),
      others,
      calls: callsOf(measured, locationOf, known),
      cold: measured.cold.map(({ line, account, slot }) => ({ line: locationOf(line), account, slot })),
    }
  }

  return {
    of,
    async compare(first, second) {
      const [a, b] = [await of(first), await of(second)]
      return { a, b, ...compareGas(a, b) }
    },
  }
}

function callsOf(
  { calls }: Measured,
  locationOf: (call: Measured['calls'][number]) => SourceLocation,
  known: ReadonlyMap<Address, KnownContract>,
): CallGas[] {
  const totals = calls.map(({ gas }) => gas)
  for (let index = calls.length - 1; index > 0; index--) {
    const parent = calls[index]?.parent ?? 0
    totals[parent] = (totals[parent] ?? 0n) + (totals[index] ?? 0n)
  }
  return calls.map((call, index) => {
    const { parent, type, selector, calls: count, gas, memory } = call
    const location = locationOf(call)
    const named = selector && known.get(call.address)?.abi.functions.get(selector)?.name
    return {
      ...location,
      function: location.function ?? named,
      parent,
      type,
      calls: count,
      gas,
      total: totals[index] ?? gas,
      memory: type === 'FUNCTION' ? undefined : memory,
    }
  })
}
