import type { Message } from '@understudy/evm'
import type { SuggestTip } from '../../chain/submission/suggestedTip.ts'
import type { ContractDirectory } from '../../contracts/contractDirectory.ts'
import type { ContractLibrary } from '../../contracts/contractLibrary.ts'
import type { CreatedContracts } from '../../contracts/knownContracts.ts'
import type { ComputingTime } from '../../shared/budget/computingTime.ts'
import type { Engine } from '../../shared/engine.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import { createPace } from '../../shared/yieldToEventLoop.ts'
import type { StackTraces } from '../../traces/stackTraces.ts'
import { loadAssets, seenAssets } from './assets.ts'
import { contractLimit, contractsOf } from './contracts.ts'
import { failureOf } from './failure.ts'
import { feeOf, paidIn } from './fee.ts'
import { RunKnowledge } from './known.ts'
import type { CallOutcome, OutcomeFrame, OutcomeLog, OutcomeMessage } from './outcome.ts'
import {
  accessListOf,
  locateFrames,
  type PlacedFrame,
  plainFrame,
  type RunEvent,
  type SequenceRun,
  shownLimit,
} from './run.ts'
import { stateChangesOf } from './stateChanges.ts'
import { StateReads } from './stateReads.ts'
import type { TokenFactsReader } from './tokens.ts'

export type DescribeNeeds = {
  engine: Engine
  knowledge: Pick<ContractDirectory, 'loadOwn'>
  created: CreatedContracts
  library: Pick<ContractLibrary, 'isEmpty' | 'versionOf' | 'loadStorageLayout'>
  stackTraces: Pick<StackTraces, 'of'>
  facts: TokenFactsReader
  suggestTip: SuggestTip
}

/** How long it may block other requests, in milliseconds. */
const sliceMs = 10
/** Maximum number of calls, and of logs, whose functions and events are decoded. */
const decodedLimit = 2000

/** Says what a run did. `quick`: by what it shows itself. */
export async function describeRun(
  sequenceRun: SequenceRun,
  needs: DescribeNeeds,
  { isQuick, time }: { isQuick: boolean; time: ComputingTime },
): Promise<CallOutcome> {
  const { run, view: before, after, kind } = sequenceRun
  const { message, block, result } = run
  const { engine } = needs
  const { placed, events } = locateFrames(result)
  const logged = result.logs.map(({ address }) => address)
  const { knowledge, isWhole } = await RunKnowledge.load(result.frames, logged, isQuick ? undefined : needs)
  const fee = feeOf(sequenceRun, needs.suggestTip)
  const assetRun = { result, placed, events, knowledge, before, after, paid: paidIn(run, kind) }
  const reads = new StateReads({ engine, block, time })
  const assets = await (isQuick ? seenAssets(assetRun) : loadAssets(assetRun, { reads, facts: needs.facts }))
  const { tokens, truncated, ...moved } = assets
  const contracts = contractsOf(result, { after, knowledge, tokens })
  const frames = await framesOf(placed, knowledge)
  return {
    message: messageOf(message, before.account(message.from)?.nonce ?? 0n),
    status: result.status === 'success' ? 'succeeded' : 'failed',
    gasUsed: result.gasUsed,
    gasRefund: result.gasRefund,
    sufficientGas: undefined,
    output: hexFromBytes(result.output),
    createdAddress: result.createdAddress,
    error: await failureOf(run, knowledge, isQuick ? undefined : needs.stackTraces),
    function: frames[0]?.function,
    returned: frames[0]?.returned,
    logs: await logsOf(result.logs, events, knowledge),
    frames,
    ...moved,
    stateChanges: await stateChangesOf({ result, before, after, knowledge }, isQuick ? undefined : needs.library),
    accessList: accessListOf(run),
    fee: await fee,
    contracts,
    truncated: [
      ...truncated,
      ...(isWhole ? [] : [`names of contracts beyond the first ${contractLimit}`]),
      ...(placed.length > shownLimit ? [`calls beyond the first ${shownLimit}`] : []),
      ...(result.logs.length > shownLimit ? [`logs beyond the first ${shownLimit}`] : []),
      ...(placed.length > decodedLimit ? [`functions of calls beyond the first ${decodedLimit}`] : []),
      ...(result.logs.length > decodedLimit ? [`events beyond the first ${decodedLimit}`] : []),
    ],
  }
}

async function logsOf(
  logs: SequenceRun['run']['result']['logs'],
  events: readonly RunEvent[],
  knowledge: RunKnowledge,
): Promise<OutcomeLog[]> {
  const pace = createPace(sliceMs)
  const found: OutcomeLog[] = []
  for (const event of events) {
    const log = event.type === 'log' ? logs[event.log] : undefined
    if (!log) continue
    if (found.length >= shownLimit) break
    await pace()
    const data = hexFromBytes(log.data)
    const { address, topics } = log
    const isDecoded = found.length < decodedLimit
    found.push({
      address,
      topics,
      data,
      contract: knowledge.nameOf(address),
      event: isDecoded ? knowledge.eventOf({ address, topics, data }) : undefined,
      frame: event.frame,
    })
  }
  return found
}

async function framesOf(placed: readonly PlacedFrame[], knowledge: RunKnowledge): Promise<OutcomeFrame[]> {
  const pace = createPace(sliceMs)
  const found: OutcomeFrame[] = []
  for (const each of placed.slice(0, shownLimit)) {
    await pace()
    const frame = plainFrame(each)
    found.push(frame)
    if (found.length > decodedLimit) continue
    const { item, returned } = knowledge.functionOf(each.frame)
    const failed = each.frame.error === 'revert' ? knowledge.revertOf(frame.to, frame.output) : undefined
    frame.contract = knowledge.nameOf(frame.to)
    frame.function = item
    frame.returned = returned
    frame.reason = failed?.reason
    frame.revert = failed?.item
  }
  return found
}

/** `nonce`: that of the sender; 0 for a call without a sender, which may not be readable. */
function messageOf(message: Message, nonce: bigint): OutcomeMessage {
  const { from, to, value, data, gasLimit, gasPrice, maxFeePerGas, maxPriorityFeePerGas, accessList = [] } = message
  return {
    from,
    to,
    value,
    input: hexFromBytes(data),
    nonce: message.nonce ?? nonce,
    gas: gasLimit,
    gasPrice,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList: [...accessList],
    type: typeOf(message),
  }
}

function typeOf(message: Message): number {
  if (message.mint !== undefined) return 0x7e
  if (message.authorizationList) return 4
  if (message.blobVersionedHashes) return 3
  if (message.maxFeePerGas !== undefined && message.maxPriorityFeePerGas !== undefined) return 2
  return message.accessList ? 1 : 0
}
