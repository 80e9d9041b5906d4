import type { Address, Done, Hex } from '@understudy/evm'
import { hexFromBytes } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import { createPace } from '../../shared/yieldToEventLoop.ts'
import { type ConsoleValue, formatConsole } from './consoleFormat.ts'
import { decodeValues, OutputError } from './outputValue.ts'

/** How long decoding may block other requests, in milliseconds. */
const sliceMs = 10

/** One call of `console.log`. */
export type ConsoleLog = {
  /** The contract that logged. */
  address: Address
  /** The formatted text; the call data as hex if it is not one of the known functions. */
  text: string
  /** `undefined` if it is not one of the known functions. */
  values: ConsoleValue[] | undefined
}

/** The first calls of `console.log` in a run, in their order; those of frames that failed too. */
export function consoleLogsOf(run: Pick<Done, 'consoleCalls'>, limit: number): ConsoleLog[] {
  return (run.consoleCalls?.(limit) ?? []).map(({ from, input }) => decodeConsoleLog(from, input))
}

/** All of them. Other requests have their turns in between. */
export async function loadConsoleLogs(run: Pick<Done, 'consoleCalls'>): Promise<ConsoleLog[]> {
  const logs: ConsoleLog[] = []
  const pace = createPace(sliceMs)
  for (const { from, input } of run.consoleCalls?.(Number.POSITIVE_INFINITY) ?? []) {
    logs.push(decodeConsoleLog(from, input))
    await pace()
  }
  return logs
}

function decodeConsoleLog(address: Address, input: Uint8Array): ConsoleLog {
  const values = decodeConsoleInput(input)
  return { address, text: values ? formatConsole(values) : hexFromBytes(input), values }
}

/** What `console.log` was called with; `undefined` if it is not one of the known functions, or is truncated. */
export function decodeConsoleInput(input: Uint8Array): ConsoleValue[] | undefined {
  signatures ??= knownSignatures()
  const types = signatures.get(hexFromBytes(input.subarray(0, 4)))
  if (!types) return undefined
  try {
    const values = decodeValues(
      types.map((type) => ({ type })),
      hexFromBytes(input.subarray(4)),
    )
    return values.map((value, index) => ({ type: types[index] as string, value: value as string }))
  } catch (error) {
    if (error instanceof OutputError) return undefined
    throw error
  }
}

let signatures: ReadonlyMap<Hex, readonly string[]> | undefined

/** The types of the arguments by selector. Older versions of both libraries hashed `uint` and `int` as they are written. */
function knownSignatures(): Map<Hex, readonly string[]> {
  const lists: string[][] = [[], ['int256'], ['string', 'int256'], ['bytes']]
  for (let size = 1; size <= 32; size++) lists.push([`bytes${size}`])
  let longer: string[][] = [[]]
  for (let count = 1; count <= 4; count++) {
    longer = longer.flatMap((list) => ['uint256', 'string', 'bool', 'address'].map((type) => [...list, type]))
    lists.push(...longer)
  }
  const known = new Map<Hex, readonly string[]>()
  for (const types of lists) {
    const written = types.join(',')
    for (const list of new Set([written, written.replaceAll('int256', 'int')]))
      known.set(keccak(Buffer.from(`log(${list})`)).slice(0, 10) as Hex, types)
  }
  return known
}
