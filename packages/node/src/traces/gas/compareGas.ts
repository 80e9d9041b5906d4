import type { SourceLocation } from '../runs/runLines.ts'
import type { CallGas, GasProfile } from './gasProfile.ts'

/** So many of each are listed. */
const listed = 1000

/** A line of which two runs paid different gas; 0 where one did not come. */
export type LineDifference = SourceLocation & { a: bigint; b: bigint }

/** The same of a function, or of a contract without lines: its own gas, and how often it was called. */
export type FunctionDifference = SourceLocation & { a: CallTotal; b: CallTotal }
export type CallTotal = { calls: number; gas: bigint }

/** What differs, the largest difference first. */
export type GasDifference = { functions: FunctionDifference[]; lines: LineDifference[] }

/** Compares profiles by the names of contracts, so that versions of a contract are the same one. */
export function compareGas(a: GasProfile, b: GasProfile): GasDifference {
  const lines = new Map<string, LineDifference>()
  const functions = new Map<string, FunctionDifference>()
  for (const [side, profile] of [['a', a] as const, ['b', b] as const]) {
    for (const { gas, ...line } of profile.lines) {
      const key = `${nameOf(line)}:${line.file}:${line.line}:${line.function}`
      const known = lines.get(key) ?? { ...locationOf(line), a: 0n, b: 0n }
      lines.set(key, known)
      known[side] += gas
    }
    for (const call of profile.calls) {
      const key = `${nameOf(call)}:${call.type === 'FUNCTION'}:${call.function}`
      const known = functions.get(key) ?? { ...locationOf(call), a: { calls: 0, gas: 0n }, b: { calls: 0, gas: 0n } }
      functions.set(key, known)
      known[side].gas += call.gas
      known[side].calls += call.calls
    }
  }
  return {
    functions: largest([...functions.values()], (each) => each.b.gas - each.a.gas),
    lines: largest([...lines.values()], (each) => each.b - each.a),
  }
}

const nameOf = ({ contract, address }: SourceLocation) => contract ?? address

const locationOf = ({ address, contract, file, line, function: name }: SourceLocation | CallGas): SourceLocation => ({
  address,
  contract,
  file,
  line,
  function: name,
})

function largest<T>(all: T[], difference: (each: T) => bigint): T[] {
  const size = (each: T) => Math.abs(Number(difference(each)))
  return all
    .filter((each) => size(each) > 0)
    .sort((x, y) => size(y) - size(x))
    .slice(0, listed)
}
