import { type CallFrame, type Done, isCreation, type Log, type Message, type Rejected } from '@understudy/evm'
import { systemAddress } from '../../ethereum/constants.ts'
import { hexFromBytes } from '../../shared/hex.ts'

/**
 * What another fork makes of a transaction: it fails, or a call inside of it that succeeded, whatever its gas limit; it needs
 * a higher gas limit; it costs more; or only its logs are others. What only costs less is not listed.
 */
export type Effect = 'fails' | 'needs gas' | 'costs more' | 'logs'

/**
 * Why: a transfer or a call that gives 2300 gas, another amount of gas that the code names, the rule that a call gets at most 63/64 of the gas
 * that is left, the limit of the transaction, a transaction that is not valid, prices, or something else.
 */
export type Cause = 'stipend' | 'fixed gas' | '63/64' | 'gas limit' | 'refused' | 'price' | 'other'

export type Comparison = {
  effect: Effect | undefined
  cause: Cause | undefined
  /** Why it fails; `undefined` if it does not. */
  reason: string | undefined
  /** The run that shows it, by the rules of the other fork, and the gas limit of that run. */
  shown: Done | Rejected
  shownLimit: bigint
  /** What it uses by the rules of the other fork: with enough gas, where its limit is too low. */
  result: Done | Rejected
  /** The frame that fails now; `undefined` if none does. */
  broken: number | undefined
  /** The frame that was given too little gas: `broken`, or one around it. */
  given: number | undefined
  /** It has logs of ether transfers (EIP-7708) more, and no other difference in its logs. */
  onlyTransfers: boolean
}

/** What a transfer of ether gives in Solidity. */
const stipend = 2300n
/** What code that names as much may give: a call with value has the stipend besides. */
const stipendOf = ({ value }: CallFrame) => (value > 0n ? 2n * stipend : stipend)
/** More is for state from Amsterdam on (EIP-8037): a call that is given a fixed amount has it besides. */
const regularGasLimit = 16_777_216n

type Runs = {
  message: Message
  now: Done
  then: Done | Rejected
  blockGasLimit: bigint
  /** Runs it by the rules of the other fork with another gas limit. */
  runWith(gasLimit: bigint): Promise<Done | Rejected>
}

/** A message with another gas limit, without fees: only gas matters for it. */
export function withGas(message: Message, gasLimit: bigint): Message {
  return {
    ...message,
    gasLimit,
    gasPrice: 0n,
    maxFeePerGas: undefined,
    maxPriorityFeePerGas: undefined,
    maxFeePerBlobGas: undefined,
  }
}

/** Compares runs of a transaction by the rules of its block and of another fork. */
export async function compareRuns({ message, now, then, blockGasLimit, runWith }: Runs): Promise<Comparison> {
  const broken = brokenFrame(now, then)
  const isBroken = then.type === 'rejected' || broken !== undefined
  const common = { cause: undefined, reason: undefined, broken, given: undefined, shownLimit: message.gasLimit }
  if (!isBroken) return { ...common, ...differenceOf(now, then), shown: then, result: then }
  const mayHelp = then.type === 'done' || then.reason === 'INTRINSIC_GAS_TOO_LOW'
  const limits = [regularGasLimit, blockGasLimit].filter((limit, index, all) => {
    return limit > message.gasLimit && limit <= blockGasLimit && all.indexOf(limit) === index
  })
  let shown: { run: Done | Rejected; limit: bigint } = { run: then, limit: message.gasLimit }
  for (const limit of mayHelp ? limits : []) {
    const run = await runWith(limit)
    if (run.type === 'done' && run.status === now.status && brokenFrame(now, run) === undefined)
      return { ...common, ...neededGas(message, now, then, run) }
    shown = { run, limit }
    // A higher limit may give more gas for state, which is not part of what the call was given.
    if (givenFrame(now, run, brokenFrame(now, run)) !== undefined) break
  }
  return { ...common, ...failureOf(now, shown.run), shown: shown.run, shownLimit: shown.limit, result: shown.run }
}

function failureOf(now: Done, run: Done | Rejected) {
  const { onlyTransfers } = differenceOf(now, run)
  const about = { effect: 'fails', onlyTransfers, reason: reasonOf(run) } as const
  if (run.type === 'rejected') return { ...about, cause: 'refused' as const, broken: undefined, given: undefined }
  const broken = brokenFrame(now, run)
  const frame = broken === undefined ? undefined : run.frames[broken]
  return { ...about, reason: frame?.error ?? about.reason, ...causeOf(run, broken, givenFrame(now, run, broken)) }
}

/** `given`: the frame to which code named an amount of gas. */
export function causeOf({ frames }: Done, broken: number | undefined, given: number | undefined) {
  if (given === undefined) return { cause: 'other' as const, broken, given }
  const frame = frames[given] as CallFrame
  const cause: Cause = frame.gas <= stipendOf(frame) ? 'stipend' : 'fixed gas'
  return { cause, broken, given }
}

/** Of a transaction that a higher gas limit helps. */
function neededGas(message: Message, now: Done, then: Done | Rejected, helped: Done) {
  const broken = brokenFrame(now, then)
  const isEnough = helped.gasUsed + helped.gasRefund <= message.gasLimit
  const survives = then.type === 'done' && then.status === now.status
  const isInside = broken !== undefined && broken > 0
  const cause: Cause = isInside && (isEnough || survives) ? '63/64' : 'gas limit'
  return {
    ...differenceOf(now, helped),
    effect: 'needs gas' as const,
    cause,
    reason:
      then.type === 'done' && broken !== undefined ? (then.frames[broken]?.error ?? reasonOf(then)) : reasonOf(then),
    shown: then,
    result: helped,
    broken,
    given: cause === '63/64' ? broken : undefined,
  }
}

function differenceOf(now: Done, then: Done | Rejected): { effect: Effect | undefined; onlyTransfers: boolean } {
  if (then.type === 'rejected') return { effect: 'fails', onlyTransfers: false }
  const sameLogs = textOf(now.logs) === textOf(then.logs)
  const onlyTransfers = !sameLogs && hasSameLogs(now.logs, then.logs)
  if (then.gasUsed > now.gasUsed) return { effect: 'costs more', onlyTransfers }
  return { effect: sameLogs || onlyTransfers ? undefined : 'logs', onlyTransfers }
}

/** Whether logs agree but for those of ether transfers. */
export const hasSameLogs = (now: readonly Log[], then: readonly Log[]): boolean =>
  textOf(now.filter(isOfContract)) === textOf(then.filter(isOfContract))

const isOfContract = ({ address }: Log) => address !== systemAddress

/** The innermost frame in which a run fails that succeeded before, as far as both runs call the same. */
export function brokenFrame(now: Done, then: Done | Rejected): number | undefined {
  if (then.type === 'rejected') return undefined
  let broken: number | undefined
  for (const [index, before] of now.frames.entries()) {
    const after = then.frames[index]
    if (!after || !isSame(before, after)) break
    const outer = broken === undefined ? undefined : then.frames[broken]
    if (outer && after.depth <= outer.depth) break
    if (before.error === undefined && after.error !== undefined) broken = index
  }
  return broken
}

/** Whether frames of two runs are the same call. */
export const isSame = (before: CallFrame, after: CallFrame): boolean =>
  before.depth === after.depth &&
  before.type === after.type &&
  before.to === after.to &&
  (isCreation(before) || Buffer.compare(before.input.subarray(0, 4), after.input.subarray(0, 4)) === 0)

/**
 * The innermost frame around a broken one, or itself, that was given as much gas as before, although the message had another
 * limit: code may have named the amount to it, or to one around it.
 */
function givenFrame(now: Done, then: Done | Rejected, broken: number | undefined): number | undefined {
  if (then.type === 'rejected' || broken === undefined) return undefined
  const isOfGas = (then.frames[broken] as CallFrame).error !== 'revert'
  const path = pathTo(then.frames, broken).slice(1).reverse()
  return path.find((index) => {
    const frame = then.frames[index] as CallFrame
    return frame.gas > 0n && frame.gas === now.frames[index]?.gas && (isOfGas || frame.gas <= stipendOf(frame))
  })
}

/** The frames from the message to one of its frames. */
export function pathTo(frames: readonly CallFrame[], index: number): number[] {
  const path = [index]
  let { depth } = frames[index] as CallFrame
  for (let before = index - 1; before >= 0; before--) {
    if ((frames[before] as CallFrame).depth >= depth) continue
    depth--
    path.push(before)
  }
  return path.reverse()
}

const reasonOf = (result: Done | Rejected): string =>
  result.type === 'rejected' ? `refused: ${result.reason}` : (result.halt ?? result.status)

const textOf = (logs: readonly Log[]): string =>
  logs.map(({ address, topics, data }) => [address, ...topics, hexFromBytes(data)].join(' ')).join('\n')
