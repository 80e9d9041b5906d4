import { type Address, type Done, type Hex, revertReason, type StateDiff, type Word } from '@understudy/evm'
import { transferTopic } from '../ethereum/constants.ts'
import { bigintFromBytes, hexFromBytes, wordFromBigint } from '../shared/hex.ts'
import { type ShadowField, shadowFields } from '../shared/shadow.ts'
import { type LoadingView, loadAccountField } from '../state/view.ts'

type Raw = Record<string, unknown>

export type OutcomeLog = { address: Address; topics: Word[]; data: Hex }

/** What came of a transaction. Numbers are decimal, because it is stored as JSON. */
export type Outcome = {
  status: 'success' | 'failed'
  /** Why it failed, as text; `null` if it did not, or without a reason. */
  reason: string | null
  /** What it returned when it failed; `null` if it did not. */
  revertData: Hex | null
  gasUsed: string
}

/** An entry of a list that is on one side only, or has another value there. `null`: it is not there. */
type OnSides<Value> = { live: Value | null; shadow: Value | null }

export type Comparison = {
  fields: ShadowField[]
  live: Outcome
  shadow: Outcome
  /** Logs that only one side has, in their order. */
  logs: OnSides<OutcomeLog>[]
  /** Changes of balances in wei, without what was paid for gas. */
  balances: ({ address: Address } & OnSides<string>)[]
  /** Changes of balances of tokens in their smallest units, by the transfers that were logged. */
  tokens: ({ token: Address; holder: Address } & OnSides<string>)[]
  /** Slots that do not have the same value after it. */
  storage: ({ address: Address; slot: Word } & OnSides<Word>)[]
  /** Whether one of the lists was cut off. */
  truncated: boolean
}

/** The most entries of a list, and bytes of the data of a log or of a revert. */
const listLimit = 50
const dataLimit = 2048

/** A run, with how it changed balances. */
export type ComparedRun = { result: Done; balances: ReadonlyMap<Address, bigint> }

/** By how much a run changes balances, without what its sender paid for gas. `view` is the state before it. */
export async function balanceChanges(
  { diff, gasUsed, surcharge }: Pick<Done, 'diff' | 'gasUsed' | 'surcharge'>,
  view: LoadingView,
  { from, coinbase, gasPrice }: { from: Address; coinbase: Address; gasPrice: bigint },
): Promise<Map<Address, bigint>> {
  const changes = new Map<Address, bigint>()
  for (const [address, { balance }] of diff.accounts) {
    if (balance === undefined || address === coinbase) continue
    const paid = address === from ? gasUsed * gasPrice + surcharge : 0n
    const change = balance - (await loadAccountField(view, address, 'balance')) + paid
    if (change !== 0n) changes.set(address, change)
  }
  return changes
}

/** What a run of the live state gave; `undefined` fields of the receipt cannot differ. */
export function compareRuns(live: ComparedRun, shadow: ComparedRun): Comparison {
  const [there, here] = [outcomeOf(live.result), outcomeOf(shadow.result)]
  const logs = differentLogs(live.result, shadow.result)
  const balances = differentBalances(live.balances, shadow.balances)
  const tokens = differentTokens(live.result, shadow.result)
  const storage = differentSlots(live.result.diff, shadow.result.diff)
  const differs: Record<ShadowField, boolean> = {
    status: there.status !== here.status,
    reason: there.status === 'failed' && here.status === 'failed' && there.revertData !== here.revertData,
    gas: there.gasUsed !== here.gasUsed,
    logs: logs.length > 0,
    balances: balances.length > 0,
    storage: storage.length > 0,
  }
  return {
    fields: shadowFields.filter((field) => differs[field]),
    live: there,
    shadow: here,
    logs: logs.slice(0, listLimit),
    balances: balances.slice(0, listLimit),
    tokens: tokens.slice(0, listLimit),
    storage: storage.slice(0, listLimit),
    truncated: [logs, balances, tokens, storage].some(({ length }) => length > listLimit),
  }
}

export function outcomeOf({ status, halt, output, gasUsed }: Done): Outcome {
  const failed = status !== 'success'
  return {
    status: failed ? 'failed' : 'success',
    reason: failed ? (halt ?? revertReason(output) ?? null) : null,
    revertData: failed ? hexFromBytes(output.subarray(0, dataLimit)) : null,
    gasUsed: String(gasUsed),
  }
}

/** Of a transaction that was not run: what its receipt tells. */
export const outcomeOfReceipt = ({ status, gasUsed }: Raw): Outcome => ({
  status: status === '0x1' ? 'success' : 'failed',
  reason: null,
  revertData: null,
  gasUsed: String(BigInt(String(gasUsed))),
})

const logsOf = ({ logs }: Done): OutcomeLog[] =>
  logs.map(({ address, topics, data }) => ({ address, topics, data: hexFromBytes(data.subarray(0, dataLimit)) }))

/** Logs at the same position between those that both sides have are one entry. */
function differentLogs(live: Done, shadow: Done): OnSides<OutcomeLog>[] {
  const [there, here] = [logsOf(live), logsOf(shadow)]
  const text = (log: OutcomeLog | undefined) => JSON.stringify(log)
  let start = 0
  while (start < there.length && start < here.length && text(there[start]) === text(here[start])) start++
  let end = 0
  const left = Math.min(there.length, here.length) - start
  while (end < left && text(there.at(-1 - end)) === text(here.at(-1 - end))) end++
  const [before, after] = [there.slice(start, there.length - end), here.slice(start, here.length - end)]
  const count = Math.max(before.length, after.length)
  return Array.from({ length: count }, (_, index) => ({
    live: before[index] ?? null,
    shadow: after[index] ?? null,
  })).filter((pair) => text(pair.live ?? undefined) !== text(pair.shadow ?? undefined))
}

function differentBalances(live: ComparedRun['balances'], shadow: ComparedRun['balances']): Comparison['balances'] {
  return [...new Set([...live.keys(), ...shadow.keys()])]
    .filter((address) => live.get(address) !== shadow.get(address))
    .map((address) => ({ address, live: textOf(live.get(address)), shadow: textOf(shadow.get(address)) }))
}

/** By token and holder, what the transfers of a run add up to. Those of NFTs have another form. */
function tokenChanges({ logs }: Done): Map<string, bigint> {
  const changes = new Map<string, bigint>()
  for (const { address, topics, data } of logs) {
    const [topic, from, to] = topics
    if (topic !== transferTopic || !from || !to || topics.length !== 3 || data.length !== 32) continue
    const amount = bigintFromBytes(data)
    for (const [word, sign] of [
      [from, -1n],
      [to, 1n],
    ] as const) {
      const key = `${address} 0x${word.slice(-40)}`
      changes.set(key, (changes.get(key) ?? 0n) + sign * amount)
    }
  }
  return changes
}

function differentTokens(live: Done, shadow: Done): Comparison['tokens'] {
  const [there, here] = [tokenChanges(live), tokenChanges(shadow)]
  return [...new Set([...there.keys(), ...here.keys()])]
    .filter((key) => (there.get(key) ?? 0n) !== (here.get(key) ?? 0n))
    .map((key) => {
      const [token, holder] = key.split(' ') as [Address, Address]
      return { token, holder, live: textOf(there.get(key)), shadow: textOf(here.get(key)) }
    })
}

function differentSlots(live: StateDiff, shadow: StateDiff): Comparison['storage'] {
  const found: Comparison['storage'] = []
  for (const address of new Set([...live.slots.keys(), ...shadow.slots.keys()])) {
    const [there, here] = [live.slots.get(address), shadow.slots.get(address)]
    for (const slot of new Set([...(there?.keys() ?? []), ...(here?.keys() ?? [])])) {
      const [before, after] = [there?.get(slot), here?.get(slot)]
      if (before !== after) found.push({ address, slot, live: wordOrNull(before), shadow: wordOrNull(after) })
    }
  }
  return found
}

const textOf = (value: bigint | undefined) => (value === undefined ? null : String(value))
const wordOrNull = (value: bigint | undefined) => (value === undefined ? null : wordFromBigint(value))
