import type { Word } from '@understudy/evm'
import { zeroAddress } from '../ethereum/constants.ts'
import { isAnsweredError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import type { Request } from './transport/requests.ts'
import { UpstreamRpcError } from './transport/rpcError.ts'

/** What upstream supports beyond the methods that every node has. */
export type Capabilities = {
  /** Maximum number of calls in one batch; 1 if batches are not supported. */
  batch: number
  createAccessList: boolean
  /** `debug_traceCall` with the prestate tracer. */
  prestateTracer: boolean
  /** `debug_traceBlockByNumber`. */
  traceBlock: boolean
  /** `debug_traceBlockByHash`. */
  traceBlockByHash: boolean
  /** `trace_replayBlockTransactions`. */
  replayBlock: boolean
  proof: boolean
  blockReceipts: boolean
  /** `eth_getBlockAccessList`, of EIP-7928. */
  blockAccessList: boolean
  /** The result of `web3_clientVersion`; empty if there is none. */
  clientVersion: string
}

export const noCapabilities: Capabilities = {
  batch: 1,
  createAccessList: false,
  prestateTracer: false,
  traceBlock: false,
  traceBlockByHash: false,
  replayBlock: false,
  proof: false,
  blockReceipts: false,
  blockAccessList: false,
  clientVersion: '',
}

type Needs = {
  request: Request
  batchLimit: () => number
  /** Called when upstream answers for every block with the state of its newest. */
  onBlocksIgnored(): void
  logger: Logger
}

/** The hash of no block. */
const inventedHash: Word = `0x${'a5'.repeat(32)}`

/** Returns a function that detects upstream's capabilities: once, on first use, and again only after a failure. */
export function createCapabilityProbe({
  request,
  batchLimit,
  onBlocksIgnored,
  logger,
}: Needs): () => Promise<Capabilities> {
  let answer: Promise<Capabilities> | undefined

  async function offers(method: string, params: readonly unknown[]): Promise<boolean> {
    try {
      const result = await request(method, params)
      return result !== null && result !== undefined
    } catch (error) {
      // Upstream answered with an error, so do not rely on the method. If it is unreachable, nothing is known.
      if (isAnsweredError(error)) return false
      throw error
    }
  }

  /**
   * For expensive methods: calls without parameters are rejected at once, with another error than for an unknown
   * method.
   */
  async function knows(method: string): Promise<boolean> {
    try {
      await request(method, [])
      return true
    } catch (error) {
      if (!isAnsweredError(error)) throw error
      return error.cause instanceof UpstreamRpcError && error.cause.code === -32602
    }
  }

  async function answersForNoBlock(): Promise<boolean> {
    try {
      await request('eth_getBalance', [zeroAddress, { blockHash: inventedHash }], { retryMs: 0 })
      return true
    } catch {
      return false
    }
  }

  async function version(): Promise<string> {
    try {
      return String(await request('web3_clientVersion', []))
    } catch (error) {
      if (isAnsweredError(error)) return ''
      throw error
    }
  }

  async function probe(): Promise<Capabilities> {
    // Two plain calls in the same tick form a batch, which shows whether batches are supported.
    const plain = Promise.all([request('eth_chainId', []), request('eth_blockNumber', [])])
    const call = { from: zeroAddress, to: zeroAddress, data: '0x' }
    const [
      createAccessList,
      prestateTracer,
      traceBlock,
      traceBlockByHash,
      replayBlock,
      proof,
      blockReceipts,
      blockAccessList,
      clientVersion,
      ignoresBlocks,
    ] = await Promise.all([
      offers('eth_createAccessList', [call, 'latest']),
      offers('debug_traceCall', [call, 'latest', { tracer: 'prestateTracer' }]),
      knows('debug_traceBlockByNumber'),
      knows('debug_traceBlockByHash'),
      knows('trace_replayBlockTransactions'),
      offers('eth_getProof', [zeroAddress, [], 'latest']),
      offers('eth_getBlockReceipts', ['latest']),
      offers('eth_getBlockAccessList', ['latest']),
      version(),
      answersForNoBlock(),
      plain,
    ])
    if (ignoresBlocks) onBlocksIgnored()
    const traces = { prestateTracer, traceBlock, traceBlockByHash, replayBlock }
    const found = { createAccessList, ...traces, proof, blockReceipts, blockAccessList }
    const capabilities = { batch: batchLimit(), ...found, clientVersion }
    logger.debug(capabilities, "Detected upstream's capabilities")
    return capabilities
  }

  return () => {
    answer ??= probe().catch((error: unknown) => {
      answer = undefined
      throw error
    })
    return answer
  }
}
