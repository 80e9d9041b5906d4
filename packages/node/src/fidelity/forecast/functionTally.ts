import { type Address, type CallFrame, type Done, type Hex, isCreation, type Word } from '@understudy/evm'
import { decodeInput } from '../../contracts/decode.ts'
import type { KnownContract, KnownContracts } from '../../contracts/knownContracts.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import type { SourceLocation } from '../../traces/runs/runLines.ts'
import { type Cause, type Comparison, type Effect, hasSameLogs, isSame, pathTo } from './effect.ts'

/** What a frame calls of a contract: a selector, its creation, or nothing in particular. */
export type Called = Hex | 'constructor' | 'receive'

export function calledBy(frame: CallFrame): Called {
  if (isCreation(frame)) return 'constructor'
  return frame.input.length < 4 ? 'receive' : hexFromBytes(frame.input.subarray(0, 4))
}

/** Its signature, or what is called if that is not known. */
export function functionOf(frame: CallFrame, known: KnownContract | undefined): string {
  const called = calledBy(frame)
  if (!called.startsWith('0x')) return called
  return decodeInput(known?.abi, called as Hex)?.signature ?? called
}

/** Why transactions of a function have an effect, and the line that shows it. */
export type Finding = {
  effect: Effect
  cause: Cause
  reason: string | undefined
  /** How much gas the code names, for a fixed amount; or how much more a line costs, for prices. */
  gas: bigint | undefined
  /** Where the call is that gets too little gas, or where the gas ran out. */
  location: SourceLocation
  transactions: number
  /** The first of them. */
  transaction: Word
}

/** What another fork makes of a function of a contract: how many transactions that call it have each effect. */
export type FunctionForecast = {
  address: Address
  contract: string | undefined
  called: Called
  /** Its signature, or the selector; `constructor`, or `receive` without a selector. */
  function: string
  transactions: number
  effects: Record<Effect, number>
  /** What its first call in each transaction used together, as the chain is and by the other fork. */
  gasUsed: bigint
  forecastGasUsed: bigint
  findings: Finding[]
}

/** So many functions, findings of each, and contracts with a name are kept. */
const functionLimit = 1000
const findingLimit = 20
const namedLimit = 200

type Row = FunctionForecast & { frame: CallFrame }

/** Adds up what transactions show of functions. */
export class FunctionTally {
  readonly #rows = new Map<string, Row>()
  readonly #addresses: ReadonlySet<Address>
  /** Functions beyond the limit were left out. */
  isFull = false

  /** `addresses`: of whose functions; empty: of what transactions call. */
  constructor(addresses: ReadonlySet<Address>) {
    this.#addresses = addresses
  }

  /** Returns the functions that have the effect of a transaction, for its finding. */
  add(now: Done, compared: Comparison): FunctionForecast[] {
    const { effect, broken, shown, result } = compared
    const path = broken === undefined || shown.type !== 'done' ? [] : pathTo(shown.frames, broken)
    const concerned: FunctionForecast[] = []
    for (const [index, frame] of this.#firstCalls(now)) {
      const row = this.#rowOf(frame)
      if (!row) continue
      row.transactions++
      const after = result.type === 'done' ? counterpart(now, result, index) : undefined
      const [before, then] = [gasOf(now, index), after && result.type === 'done' ? gasOf(result, index) : undefined]
      row.gasUsed += before
      row.forecastGasUsed += then ?? before
      const own = effectOn(now, result, index, { effect, isOnPath: path.length === 0 || path.includes(index) })
      if (!own) continue
      row.effects[own]++
      if (own === effect) concerned.push(row)
    }
    return concerned
  }

  /** The worst first, with the names that are known. */
  async list(abis: KnownContracts): Promise<FunctionForecast[]> {
    const rows = [...this.#rows.values()].sort(byEffects)
    const known = await abis.load([...new Set(rows.map(({ address }) => address))].slice(0, namedLimit))
    return rows.map(({ frame, ...row }) => {
      const contract = known.get(row.address)
      return { ...row, contract: contract?.name, function: functionOf(frame, contract) }
    })
  }

  /** The first call of each function in a transaction, by the index of its frame. */
  #firstCalls({ frames }: Done): [number, CallFrame][] {
    const first = frames[0] as CallFrame
    if (this.#addresses.size === 0) return [[0, first]]
    const found = new Map<string, [number, CallFrame]>()
    for (const [index, frame] of frames.entries()) {
      const key = keyOf(frame)
      if (frame.type !== 'SELFDESTRUCT' && this.#addresses.has(frame.to) && !found.has(key))
        found.set(key, [index, frame])
    }
    return found.size === 0 ? [[0, first]] : [...found.values()]
  }

  #rowOf(frame: CallFrame): Row | undefined {
    const key = keyOf(frame)
    const row = this.#rows.get(key)
    if (row) return row
    if (this.#rows.size >= functionLimit) {
      this.isFull = true
      return undefined
    }
    const added: Row = {
      address: frame.to,
      contract: undefined,
      called: calledBy(frame),
      function: '',
      transactions: 0,
      effects: { fails: 0, 'needs gas': 0, 'costs more': 0, logs: 0 },
      gasUsed: 0n,
      forecastGasUsed: 0n,
      findings: [],
      frame: { ...frame, input: frame.input.slice(0, 4), output: new Uint8Array() },
    }
    this.#rows.set(key, added)
    return added
  }
}

/** Adds a finding to the functions that have its effect. The price of a line belongs to its own contract. */
export function addFinding(rows: readonly FunctionForecast[], finding: Omit<Finding, 'transactions'>): void {
  const own = rows.filter(({ address }) => address === finding.location.address)
  for (const row of finding.cause === 'price' && own.length > 0 ? own : rows) addTo(row, finding)
}

/** One that it has counts for one transaction more. */
function addTo(row: FunctionForecast, finding: Omit<Finding, 'transactions'>): void {
  const same = row.findings.find(
    ({ effect, cause, gas, location }) =>
      effect === finding.effect &&
      cause === finding.cause &&
      (cause === 'price' || gas === finding.gas) &&
      JSON.stringify(location) === JSON.stringify(finding.location),
  )
  if (same) same.transactions++
  else if (row.findings.length < findingLimit) row.findings.push({ ...finding, transactions: 1 })
}

/** What a transaction has of its effect, or of a lesser one, in a frame. */
function effectOn(
  now: Done,
  result: Comparison['result'],
  index: number,
  { effect, isOnPath }: { effect: Effect | undefined; isOnPath: boolean },
): Effect | undefined {
  if ((effect === 'fails' || effect === 'needs gas') && isOnPath) return effect
  if (index === 0) return effect === 'costs more' || effect === 'logs' ? effect : undefined
  if (result.type !== 'done') return undefined
  const after = counterpart(now, result, index)
  if (!after) return undefined
  const before = now.frames[index] as CallFrame
  if (after.gasUsed > before.gasUsed) return 'costs more'
  return hasSameLogs(now.logs.slice(...before.logs), result.logs.slice(...after.logs)) ? undefined : 'logs'
}

/** The same frame of another run, if both called the same until then. */
function counterpart(now: Done, result: Done, index: number): CallFrame | undefined {
  const [before, after] = [now.frames[index], result.frames[index]]
  return before && after && isSame(before, after) ? after : undefined
}

/** Of the whole transaction, for its message. */
const gasOf = (run: Done, index: number): bigint =>
  index === 0 ? run.gasUsed : ((run.frames[index] as CallFrame).gasUsed ?? 0n)

const keyOf = (frame: CallFrame) => `${frame.to} ${calledBy(frame)}`

function byEffects(a: FunctionForecast, b: FunctionForecast): number {
  for (const effect of ['fails', 'needs gas', 'costs more', 'logs'] as const)
    if (a.effects[effect] !== b.effects[effect]) return b.effects[effect] - a.effects[effect]
  return b.transactions - a.transactions
}
