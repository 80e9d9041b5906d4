import type { Config } from '../config/config.ts'
import type { Clock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { createStopper } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { Database } from '../storage/database.ts'
import { openUpstreamCache, type UpstreamCache } from '../upstream/cache/upstreamCache.ts'
import type { EndpointProfile } from '../upstream/endpoint/endpointProfile.ts'
import type { RecordedUpstream } from '../upstream/recording/recordedPost.ts'
import { createUpstream, type KnownChain, type Upstream } from '../upstream/upstream.ts'
import type { Base } from '../upstream/wantedState.ts'

/** The live chain, to be started; `undefined` if nothing is forked. */
export function openUpstream(
  config: Config,
  urls: readonly string[],
  known: KnownChain | undefined,
  {
    recorded,
    profiles,
    ...needs
  }: {
    recorded: RecordedUpstream | undefined
    profiles?: Readonly<Record<string, EndpointProfile>> | undefined
    logger: Logger
    clock: Clock
  },
  stopper: ReturnType<typeof createStopper>,
): Upstream | undefined {
  const [first, ...rest] = recorded?.isOffline ? [''] : urls
  if (first === undefined) return undefined
  // Clients may name URLs, but no files of this machine.
  const foreign = urls.find((url) => /^ipc:/i.test(url.trim()) && !config.forkUrls.includes(url))
  if (foreign !== undefined)
    throw new NetworkError('INVALID_PARAMS', { field: 'url', problem: 'only --fork-url names local sockets' })
  const upstream = createUpstream(
    {
      urls: [first, ...rest],
      // Headers are sent only to the configured URLs.
      headers: urls.every((url) => config.forkUrls.includes(url)) ? config.forkHeaders : {},
      maxBatch: config.upstreamBatchSize,
      callsPerSecond: config.upstreamRate,
      hedges: config.upstreamHedge,
      profiles,
      timeoutMs: config.upstreamTimeoutMs,
      pollIntervalMs: config.pollIntervalMs,
      webSocket: recorded === undefined,
      recorded,
      known,
    },
    needs,
  )
  stopper.add(() => upstream.stop())
  return upstream
}

/** Opens the stored cache of the live chain's state and moves it to the live head. */
export async function openCache(
  { upstreamCacheMegabytes }: Config,
  needs: {
    upstream: Upstream
    database: Database
    clock: Clock
    logger: Logger
    base: Base
    recorded: RecordedUpstream | undefined
    isStored: () => boolean
  },
  stopper: ReturnType<typeof createStopper>,
): Promise<UpstreamCache> {
  const { recorded, base } = needs
  const cache = await openUpstreamCache(
    {
      limit: upstreamCacheMegabytes * 2 ** 20,
      keep: base,
      // A recording has what was asked.
      isNew: recorded !== undefined && !recorded.isOffline,
    },
    needs,
  )
  stopper.add(() => cache.stop())
  await cache.start()
  const head = needs.upstream.head.current()
  if (head) await cache.moveTo(head)
  return cache
}

/**
 * The position of the live chain and how its heads are received. Before the first head, the position is the network's
 * `base`.
 */
export function statusOf(upstream: Upstream, cache: UpstreamCache, base: Base) {
  const head = upstream.head.current()
  return {
    ...upstream.status(),
    head: head?.number ?? base.number,
    headTimestamp: head?.timestamp ?? 0n,
    headSource: upstream.head.source(),
    changeSource: cache.status().source,
    cacheBytes: cache.status().bytes,
    profiles: upstream.profiles(),
  }
}
