import { zeroAddress, zeroWord } from '../../ethereum/constants.ts'
import { createMutex } from '../../shared/async/mutex.ts'
import { NetworkError } from '../../shared/errors.ts'
import { addressFromNumber, quantity } from '../../shared/hex.ts'
import type { Logger } from '../../shared/logger.ts'
import { createCapabilityProbe } from '../capabilities.ts'
import { HeadSocket } from '../head/headSocket.ts'
import type { Request } from '../transport/requests.ts'
import { UpstreamRpcError } from '../transport/rpcError.ts'
import type { Answer, Asker, Refusal } from './askEndpoint.ts'
import type { CheckNeeds, CheckOptions, EndpointReport, StateReport } from './report.ts'
import { unusableBy } from './unusable.ts'

type Found = Promise<Partial<EndpointReport>>

/** Blocks below the head of which state is asked. Nodes often keep 128 states. */
const depths = [0, 1, 2, 127, 128, 1_000, 100_000]
/** From here on, the number of a block differs from the head's on every chain, also by the blocks of L1. */
const plainDepth = 1_000
/** Answers the number of the block in which it runs. */
const numberCode = '0x4360005260206000f3'
/** Blocks of a query of logs. */
const ranges = [10_000, 1_000, 100, 10, 3]
const mostInBurst = 30
const socketMs = 2_000

const hasResult = (answer: Answer): answer is Extract<Answer, { result: unknown }> =>
  'result' in answer && answer.result !== null && answer.result !== undefined
const refusalIn = (answer: Answer): Refusal | null => ('refusal' in answer ? answer.refusal : null)

export async function findState(asker: Asker): Found {
  const balance = (block: string) => asker.ask('eth_getBalance', [zeroAddress, block])
  const number = await asker.ask('eth_blockNumber', [])
  if ('refusal' in number) return { problem: unusableBy('eth_blockNumber', number.refusal) }
  const head = Number(number.result)
  const state: StateReport = { isByNumber: true, deepest: 0, refused: null, refusal: null, isFaked: false }
  for (const depth of [...depths.filter((each) => each < head), head]) {
    const answer = await balance(quantity(head - depth))
    if (hasResult(answer)) {
      state.deepest = depth
      continue
    }
    state.refused = depth
    state.refusal = refusalIn(answer)
    break
  }
  if (state.refused === 0) {
    const newest = await balance('latest')
    if ('refusal' in newest) return { problem: unusableBy("the newest block's state", newest.refusal) }
    state.isByNumber = false
  }
  if (state.deepest >= plainDepth) state.isFaked = await isFaked(asker, head - state.deepest)
  return { state }
}

/** Some answer for every number by the state of the newest. Those that do so for every hash are found with the methods. */
async function isFaked(asker: Asker, block: number): Promise<boolean> {
  const call = (tag: string) => asker.ask('eth_call', [{ data: numberCode }, tag])
  // A block without transactions may be the first, whose number L1 gave.
  const [old, newest] = [await call(quantity(Math.max(block, 1))), await call('latest')]
  if (!hasResult(old) || !hasResult(newest)) return false
  const [oldNumber, newestNumber] = [Number(old.result), Number(newest.result)]
  return Number.isFinite(oldNumber) && oldNumber > 0 && oldNumber >= newestNumber
}

export async function findBlockHashes(asker: Asker): Found {
  const newest = await asker.ask('eth_getBlockByNumber', ['latest', false])
  const hash = hasResult(newest) ? (newest.result as { hash?: unknown }).hash : undefined
  if (typeof hash !== 'string') return {}
  const answer = await asker.ask('eth_getBalance', [zeroAddress, { blockHash: hash }])
  return { blockHashes: { areTaken: hasResult(answer), refusal: refusalIn(answer) } }
}

/** Asks with as many requests as a network would send, and then with half as many. */
export async function findBatches(asker: Asker, maxBatch: number): Found {
  let refused: number | null = null
  let refusal: Refusal | null = null
  for (let size = maxBatch; size > 1; size = Math.floor(size / 2)) {
    // The addresses differ, so that a cache in between does not answer.
    const calls = Array.from({ length: size }, (_, index) => ({
      method: 'eth_getBalance',
      params: [addressFromNumber(0x1000 + index), 'latest'],
    }))
    const answers = await asker.askBatch(calls)
    const bad = answers.find((answer) => 'refusal' in answer)
    if (!bad) return { batches: { largest: size, refused, refusal } }
    refused ??= size
    refusal ??= refusalIn(bad)
  }
  return { batches: { largest: 1, refused, refusal } }
}

export async function findLogs(asker: Asker): Found {
  const newest = await asker.ask('eth_blockNumber', [])
  if ('refusal' in newest) return {}
  const head = Number(newest.result)
  let refused: number | null = null
  let refusal: Refusal | null = null
  for (const blocks of new Set(ranges.map((range) => Math.min(range, head + 1)))) {
    // No block has such logs, so that only their number counts.
    const filter = {
      fromBlock: quantity(head + 1 - blocks),
      toBlock: quantity(head),
      address: zeroAddress,
      topics: [zeroWord],
    }
    const answer = await asker.askOnce('eth_getLogs', [filter])
    if (hasResult(answer)) return { logs: { blocks, refused, refusal } }
    refused ??= blocks
    refusal ??= refusalIn(answer)
    if (refusal?.kind === 'no method') break
  }
  return { logs: { blocks: 0, refused, refusal } }
}

export async function findMethods(asker: Asker, known: StateReport | null, logger: Logger): Found {
  const mutex = createMutex()
  const request: Request = <T>(method: string, params: readonly unknown[]) =>
    mutex.run(async () => {
      const answer = await asker.ask(method, params, ['slow down', 'broken'])
      if ('result' in answer) return answer.result as T
      const { kind, code, words } = answer.refusal
      const problem = `${method}: ${words}`
      // Whether it has the method stays open.
      if (kind === 'slow down') throw new NetworkError('UPSTREAM_UNAVAILABLE', { problem })
      const cause = new UpstreamRpcError(method, { code: code ?? 0, message: words })
      throw new NetworkError('UPSTREAM_ERROR', { problem }, { cause })
    })
  try {
    const state = known && { ...known }
    const onBlocksIgnored = () => {
      if (state) state.isFaked = true
    }
    const probe = createCapabilityProbe({ request, batchLimit: () => 1, onBlocksIgnored, logger })
    const { batch: _, ...methods } = await probe()
    return { methods, state }
  } catch (error) {
    if (error instanceof NetworkError) return {}
    throw error
  }
}

/** Whether new heads are announced, as the network would use it. */
export async function findHeadSocket({ url, headers }: CheckOptions, { clock, logger, random }: CheckNeeds): Found {
  const announcesHeads = await new Promise<boolean>((resolve) => {
    const socket = new HeadSocket(
      { urls: [url], headers },
      { clock, logger, random, onBlock() {}, onChange: (isOpen) => end(isOpen) },
    )
    const late = clock.after(socketMs, () => end(false))
    const end = (isOpen: boolean) => {
      late.cancel()
      socket.stop()
      resolve(isOpen)
    }
    socket.start()
  })
  return { announcesHeads }
}

/** Sends a burst that ends with the first refusal. */
export async function findRate(asker: Asker, limits: { requests: number; concurrency: number }): Found {
  const most = Math.min(mostInBurst, limits.requests)
  if (most <= 0) return {}
  let [requests, answered] = [0, 0]
  let refusal: Refusal | null = null
  const startedAt = performance.now()
  const sendOthers = async () => {
    while (requests < most && refusal?.kind !== 'slow down') {
      requests++
      const answer = await asker.askOnce('eth_getBalance', [zeroAddress, 'latest'])
      if ('result' in answer) answered++
      else refusal = answer.refusal
    }
  }
  await Promise.all(Array.from({ length: limits.concurrency }, sendOthers))
  return { rate: { requests, answered, ms: Math.round(performance.now() - startedAt), refusal } }
}
