import { knownProfile } from '../../ethereum/chains/profiles.ts'
import type { EndpointReport } from './report.ts'

/** With so many blocks of state, what the network reads of the newest ones is always there. */
export const enoughState = 127
const fewInBatch = 20
/** The head is called old after so many block times, and at least so many seconds. */
const oldBlocks = 20
const oldSeconds = 120

/** A network sends so many requests at a time. */
const atATime = 8

/** Whether it tells what a block changed. */
export function tellsChanges({ methods }: EndpointReport): boolean | undefined {
  return methods
    ? methods.blockAccessList || methods.replayBlock || methods.traceBlock || methods.traceBlockByHash
    : undefined
}

/** What will be slow or missing in a network that forks this endpoint alone, the worst first. */
export function consequencesOf(report: EndpointReport): string[] {
  return [
    ...ofHead(report),
    ...ofState(report),
    ...ofBatches(report),
    ...ofRate(report),
    ...ofLogs(report),
    ...ofMethods(report),
    ...ofHeadSocket(report),
  ]
}

function ofHead({ head, chainId }: EndpointReport): string[] {
  if (!head || chainId === null) return []
  const blockTimeMs = knownProfile(BigInt(chainId))?.blockTimeMs
  if (blockTimeMs === undefined || head.ageSeconds < Math.max(oldSeconds, (oldBlocks * blockTimeMs) / 1000)) return []
  return ['Its newest block is old for this chain: the endpoint may lag behind, or have stopped.']
}

function ofState({ state, blockHashes }: EndpointReport): string[] {
  if (!state) return []
  const texts: string[] = []
  if (state.isFaked)
    texts.push(
      'For older blocks it answers with the state of the newest: results at older blocks are wrong, and it says nothing. Do not fork at an older block with it.',
    )
  if (!state.isByNumber)
    texts.push(
      'It has the state of the newest block only: what was read is read again if the head moved, and --fork-block-number, --no-follow-head and older blocks need another endpoint.',
    )
  else if (state.refused !== null && state.deepest < enoughState)
    texts.push(
      `State is gone after few blocks: a network that stays at a block (--no-follow-head, --fork-block-number, recordings) needs an endpoint that keeps more, and reads may fail after a pause.`,
    )
  else if (state.refused !== null)
    texts.push(
      'Past state is not kept: calls at older blocks, --fork-block-number, and understudy backtest need an archive node, as this URL or as another one.',
    )
  if (blockHashes && !blockHashes.areTaken)
    texts.push(
      'Without block hashes (EIP-1898), each round of reads costs one more request, which shows that the block is still the same.',
    )
  return texts
}

function ofBatches({ batches }: EndpointReport): string[] {
  if (!batches || batches.largest >= fewInBatch) return []
  const requests = Math.ceil(100 / batches.largest)
  return [
    batches.largest === 1
      ? `Without batches, each value is a request: a call that reads 100 new slots sends 100, ${atATime} at a time.`
      : `With batches of at most ${batches.largest}, a call that reads 100 new slots sends ${requests} requests, ${atATime} at a time.`,
  ]
}

function ofRate({ rate }: EndpointReport): string[] {
  if (!rate?.refusal) return []
  if (rate.refusal.kind === 'slow down')
    return [
      'It limits the rate of requests: what is read for the first time waits for it. A second URL, or a plan with more requests, makes that faster.',
    ]
  return [
    `${rate.requests - rate.answered} of ${rate.requests} requests failed: they are sent again, which takes time. Add a second URL.`,
  ]
}

function ofLogs({ logs }: EndpointReport): string[] {
  if (!logs || logs.refused === null) return []
  if (logs.blocks === 0)
    return ['It does not serve eth_getLogs: logs and filters over blocks of the live chain need another endpoint.']
  return [
    `eth_getLogs over the live chain's blocks is split: 10 000 blocks are ${Math.ceil(10_000 / logs.blocks)} requests.`,
  ]
}

function ofMethods(report: EndpointReport): string[] {
  const { methods } = report
  if (!methods) return []
  const texts: string[] = []
  if (!tellsChanges(report))
    texts.push(
      `Nothing tells what a block changed (debug_traceBlock, trace_replayBlockTransactions, or block access lists): state is read again at each new block${methods.proof ? ', but that of contracts that eth_getProof shows to be the same' : ', as eth_getProof is missing, too'}.`,
    )
  if (!methods.prestateTracer && !methods.createAccessList)
    texts.push(
      'Nothing tells what a call will read (debug_traceCall, eth_createAccessList): a first call may need a round trip for each slot that depends on another.',
    )
  if (!methods.traceBlock)
    texts.push(
      'Without debug_traceBlockByNumber, understudy fidelity and shadowing fetch state transaction by transaction, which is slow.',
    )
  if (!methods.blockReceipts)
    texts.push('Without eth_getBlockReceipts, the receipts of a live block are read one by one.')
  return texts
}

function ofHeadSocket({ announcesHeads }: EndpointReport): string[] {
  return announcesHeads === false ? ['New heads are not announced by WebSocket: they are found by polling.'] : []
}
