import type { Clock } from '../../shared/clock.ts'
import type { Logger } from '../../shared/logger.ts'
import type { RawBlock } from '../answers.ts'
import type { Capabilities } from '../capabilities.ts'
import { briefRetryMs, type Request } from '../transport/requests.ts'
import { loadFromAccessList } from './accessLists.ts'
import type { BlockChanges } from './blockChanges.ts'
import { loadFromPrestateDiffsByHash, loadFromPrestateDiffsByNumber } from './prestateDiffs.ts'
import { isKnownChain } from './protocolChanges.ts'
import { loadFromStateDiffs } from './stateDiffs.ts'

/** A way to learn what a block changed. */
type Source = {
  name: string
  /** The required capability of upstream. */
  needs: keyof Capabilities
  /** It covers only transactions: the protocol's own changes must be added. */
  ofTransactions: boolean
  load(request: Request, block: RawBlock, signal: AbortSignal): Promise<BlockChanges>
}

/** Best first. */
const sources: readonly Source[] = [
  { name: 'eth_getBlockAccessList', needs: 'blockAccessList', ofTransactions: false, load: loadFromAccessList },
  { name: 'trace_replayBlockTransactions', needs: 'replayBlock', ofTransactions: true, load: loadFromStateDiffs },
  {
    name: 'debug_traceBlockByHash',
    needs: 'traceBlockByHash',
    ofTransactions: true,
    load: loadFromPrestateDiffsByHash,
  },
  { name: 'debug_traceBlockByNumber', needs: 'traceBlock', ofTransactions: true, load: loadFromPrestateDiffsByNumber },
]

/** Number of failures in a row after which a source is paused. */
const failureLimit = 3
const restMs = 5 * 60_000

/** Reads the changes of upstream's blocks from the best available source. */
export type ChangeSources = {
  /** Whether a source may have the changes of the next blocks. */
  canLoad(capabilities: Capabilities): boolean
  /** In block order; `undefined` if no source has them. */
  load(
    capabilities: Capabilities,
    blocks: readonly RawBlock[],
    signal: AbortSignal,
  ): Promise<BlockChanges[] | undefined>
  /** Reports that a source missed a change: it is paused. */
  distrust(): void
  /** The source used last; `undefined` if none was. */
  current(): string | undefined
}

type Needs = { chainId: () => bigint; request: Request; clock: Clock; logger: Logger }

export function createChangeSources({ chainId, request, clock, logger }: Needs): ChangeSources {
  const failures = new Map<Source, number>()
  const restsUntil = new Map<Source, number>()
  let last: Source | undefined
  // A head waits for what its block changed.
  const ask: Request = (method, params, options) => request(method, params, { ...options, retryMs: briefRetryMs })

  function rest(source: Source, problem: unknown): void {
    failures.set(source, 0)
    restsUntil.set(source, clock.now() + restMs)
    if (last === source) last = undefined
    logger.warn({ source: source.name, err: problem }, 'Paused a source of block changes for five minutes')
  }

  function isAvailable(source: Source, capabilities: Capabilities): boolean {
    if (!capabilities[source.needs] || (restsUntil.get(source) ?? 0) > clock.now()) return false
    return !source.ofTransactions || isKnownChain(chainId())
  }

  return {
    canLoad: (capabilities) => sources.some((source) => isAvailable(source, capabilities)),
    async load(capabilities, blocks, signal) {
      for (const source of sources) {
        if (!isAvailable(source, capabilities)) continue
        try {
          const changes = await Promise.all(blocks.map((block) => source.load(ask, block, signal)))
          failures.set(source, 0)
          last = source
          return changes
        } catch (error) {
          const count = (failures.get(source) ?? 0) + 1
          failures.set(source, count)
          if (count >= failureLimit) rest(source, error)
          if (signal.aborted) break
          logger.debug({ source: source.name, err: error }, 'Upstream did not report what changed')
        }
      }
      last = undefined
      return undefined
    },
    distrust() {
      if (last) rest(last, 'it missed a change')
    },
    current: () => last?.name,
  }
}

/** Test nodes change their state by request, outside of blocks, which no trace shows. */
export function changesOutsideOfBlocks({ clientVersion }: Capabilities): boolean {
  return /anvil|hardhat|ganache|understudy|tenderly|edr/i.test(clientVersion)
}
