import type { Account, Address, ReadSet, RunResult, Word } from '@understudy/evm'
import { OutputError, readOutput } from '../ethereum/abi/outputValue.ts'
import { zeroAddress } from '../ethereum/constants.ts'
import type { ExecutionPoint } from '../execution/execution.ts'
import { rejection } from '../execution/rejection.ts'
import { requireSuccess } from '../execution/revert.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Engine } from '../shared/engine.ts'
import { isNetworkError } from '../shared/errors.ts'
import { hexFromBytes, wordFromBigint } from '../shared/hex.ts'
import type { WantedState } from '../state/view.ts'
import type { Probe } from './probe.ts'
import type { Reads } from './readIndex.ts'

/** A value, or the reason why there is none. */
export type EvaluationOutcome = { value: string } | { error: string }

/** `reads` is `undefined` if they exceed the limit: the value is then valid only once. */
export type Evaluated =
  | { type: 'done'; outcome: EvaluationOutcome; reads: Reads | undefined }
  | { type: 'missing'; keys: WantedState }
  /** The block has no computing time left for it. */
  | { type: 'skipped' }

/** Gas limit of a tracked function: far more than views need. */
const gasLimit = 10_000_000n
/** Computing time limit: a typical function with this gas takes some ten milliseconds. */
const limitMs = 250
/** Maximum number of characters of a value. */
const valueLimit = 65_536
/** Maximum number of keys recorded for one value. */
const readLimit = 2_000
/** The sender of calls to tracked functions; the default of `eth_call`. */
const caller: Address = zeroAddress

/** Evaluates an item on loaded state, or returns the missing keys. `time`: the block's remaining computing time. */
export async function evaluateProbe(
  engine: Engine,
  probe: Probe,
  point: ExecutionPoint,
  time: ComputingTime | undefined,
): Promise<Evaluated> {
  const { view } = point
  switch (probe.type) {
    case 'balance': {
      const account = view.account(probe.address)
      if (!account) return { type: 'missing', keys: { ...nothing, accounts: [probe.address] } }
      const reads = { ...noReads, accounts: new Map([[probe.address, account]]) }
      return { type: 'done', outcome: { value: account.balance.toString() }, reads }
    }
    case 'slot': {
      const value = view.storage(probe.address, probe.slot)
      if (value === undefined) return { type: 'missing', keys: { ...nothing, slots: [[probe.address, probe.slot]] } }
      const reads = { ...noReads, slots: new Map([[probe.address, new Map([[probe.slot, value]])]]) }
      return { type: 'done', outcome: { value: wordFromBigint(value) }, reads }
    }
    case 'call':
      return evaluateCall(engine, probe, point, time)
  }
}

async function evaluateCall(
  engine: Engine,
  { address: to, data, outputs, path }: Extract<Probe, { type: 'call' }>,
  point: ExecutionPoint,
  time: ComputingTime | undefined,
): Promise<Evaluated> {
  const message = { from: caller, to, value: 0n, data, gasLimit, gasPrice: 0n }
  if (!time) return { type: 'skipped' }
  const { leftMs } = time
  const own = time.atMost(limitMs)
  const result = await inTime(async () => engine.run(message, point.block, point.view, { kind: 'call', time: own }))
  if (result === undefined)
    // The block's remaining time may be slightly less than its limit.
    return leftMs - time.leftMs < 0.9 * limitMs
      ? { type: 'skipped' }
      : failed(`it computes for more than ${limitMs} ms`, undefined)
  if (result.type === 'missing') return { type: 'missing', keys: result }
  if (result.type === 'rejected') return failed(rejection(result, caller).message, undefined)
  const reads = readsOf(result.readSet, point)
  try {
    const value = readOutput(outputs, path, hexFromBytes(requireSuccess(result).output))
    if (value.length <= valueLimit) return { type: 'done', outcome: { value }, reads }
    return failed(`the value has ${value.length} characters; at most ${valueLimit} are recorded`, reads)
  } catch (error) {
    if (error instanceof OutputError || isNetworkError(error)) return failed(error.message, reads)
    throw error
  }
}

/** `undefined` if it takes too long. */
async function inTime(run: () => Promise<RunResult>) {
  try {
    return await run()
  } catch (error) {
    if (isNetworkError(error, 'EXECUTION_TOO_LONG')) return undefined
    throw error
  }
}

const nothing: WantedState = { accounts: [], codes: [], slots: [], blockHashes: [] }
const noReads: Reads = { accounts: new Map(), slots: new Map(), block: undefined }

const failed = (error: string, reads: Reads | undefined): Evaluated => ({ type: 'done', outcome: { error }, reads })

function readsOf(readSet: ReadSet, { view, block }: ExecutionPoint): Reads | undefined {
  const accounts = new Map<Address, Account | undefined>()
  // The engine reads the sender of every message. If that is also the coinbase, every transaction changes it.
  for (const address of readSet.accounts)
    if (address !== caller || block.coinbase !== caller) accounts.set(address, view.account(address))
  let size = accounts.size
  const slots = new Map<Address, Map<Word, bigint | undefined>>()
  for (const [address, keys] of readSet.slots) {
    slots.set(address, new Map([...keys].map((slot) => [slot, view.storage(address, slot)])))
    size += keys.size
  }
  if (size > readLimit) return undefined
  const dependsOnBlock = readSet.environment.size > 0 || readSet.blockHashes.size > 0
  return { accounts, slots, block: dependsOnBlock ? block : undefined }
}
