import type { Clock } from '../../shared/clock.ts'
import type { Logger } from '../../shared/logger.ts'
import type { RawBlock } from '../answers.ts'
import type { Capabilities } from '../capabilities.ts'
import type { Request } from '../transport/requests.ts'
import { loadFromAccessList } from './accessLists.ts'
import type { BlockChanges } from './blockChanges.ts'
import { loadFromPrestateDiffsByHash, loadFromPrestateDiffsByNumber } from './prestateDiffs.ts'
import { isKnownChain } from './protocolChanges.ts'
import { loadFromStateDiffs } from './stateDiffs.ts'

/** A way to learn what a block changed. */
type Source = {
  name: string
  /** What upstream must offer for it. */
  needs: keyof Capabilities
  /** It shows transactions alone: what the protocol changes beside them has to be known. */
  ofTransactions: boolean
  load(request: Request, block: RawBlock, signal: AbortSignal): Promise<BlockChanges>
}

/** The best first. */
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

/** Failures in a row after which a source is left alone for a while. */
const failureLimit = 3
const restMs = 5 * 60_000

/** Tells what blocks of upstream changed, by the best source that it offers. */
export type ChangeSources = {
  /** In the order of the blocks; `undefined` when no source can tell. */
  load(
    capabilities: Capabilities,
    blocks: readonly RawBlock[],
    signal: AbortSignal,
  ): Promise<BlockChanges[] | undefined>
  /** Says that a source left out a change: it is left alone for a while. */
  distrust(): void
  /** The source that told last; `undefined` when none did. */
  current(): string | undefined
}

type Needs = { chainId: () => bigint; request: Request; clock: Clock; logger: Logger }

export function createChangeSources({ chainId, request, clock, logger }: Needs): ChangeSources {
  const failures = new Map<Source, number>()
  const restsUntil = new Map<Source, number>()
  let last: Source | undefined

  function rest(source: Source, problem: unknown): void {
    failures.set(source, 0)
    restsUntil.set(source, clock.now() + restMs)
    if (last === source) last = undefined
    logger.warn(
      { source: source.name, err: problem },
      'Stopped asking upstream this way what changed, for five minutes',
    )
  }

  return {
    async load(capabilities, blocks, signal) {
      for (const source of sources) {
        if (!capabilities[source.needs] || (restsUntil.get(source) ?? 0) > clock.now()) continue
        if (source.ofTransactions && !isKnownChain(chainId())) continue
        try {
          const changes = await Promise.all(blocks.map((block) => source.load(request, block, signal)))
          failures.set(source, 0)
          last = source
          return changes
        } catch (error) {
          const count = (failures.get(source) ?? 0) + 1
          failures.set(source, count)
          if (count >= failureLimit) rest(source, error)
          if (signal.aborted) break
          logger.debug({ source: source.name, err: error }, 'Upstream did not say what changed')
        }
      }
      last = undefined
      return undefined
    },
    distrust() {
      if (last) rest(last, 'it left out a change')
    },
    current: () => last?.name,
  }
}

/** Nodes for tests change their state by request, outside of blocks: no trace shows it. */
export function changesOutsideOfBlocks({ clientVersion }: Capabilities): boolean {
  return /anvil|hardhat|ganache|understudy|tenderly|edr/i.test(clientVersion)
}
