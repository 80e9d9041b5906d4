import { setMaxListeners } from 'node:events'
import { type Clock, type Timer, within } from '../../shared/clock.ts'
import type { Service } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import { createMutex } from '../../shared/mutex.ts'
import type { Database } from '../../storage/database.ts'
import type { BaseState } from '../baseState.ts'
import { changesOutsideOfBlocks, createChangeSources } from '../changes/sources.ts'
import type { UpstreamHead } from '../head/head.ts'
import { CallHints } from '../prefetch/callHints.ts'
import { LearnedSets } from '../prefetch/learnedSets.ts'
import type { Upstream } from '../upstream.ts'
import type { Base, WantedState } from '../wantedState.ts'
import { createCacheRepair } from './cacheRepair.ts'
import { CanonicalChain } from './canonicalChain.ts'
import { createHeadMover } from './headMover.ts'
import { createSpotCheck } from './spotCheck.ts'
import { StateStore } from './store.ts'
import { restoreCache, saveCache, trimStoredCache } from './storedCache.ts'
import { Timeline } from './timeline.ts'
import { createUpstreamStates } from './upstreamStates.ts'

/** The longest that the network waits for what a head changed, in milliseconds; then it goes on without. */
const moveLimitMs = 3_000
/** Keys that are loaded ahead at a new head, at the most. */
const warmBudget = 100
const saveIntervalMs = 1_000
/** How long a stop waits until upstream has said what it is. */
const stopMs = 500
/** Blocks that the tip moves before it is stored although no value changed. */
const idleBlocks = 32

export type CacheStatus = {
  /** The newest block of which values are kept. */
  tip: bigint
  /** About what is taken in memory. */
  bytes: number
  /** How upstream told last what a block changed; `undefined` when it did not. */
  source: string | undefined
}

/** Upstream's state as it was fetched, each value for as long as it holds. */
export type UpstreamCache = Service & {
  /** Upstream's state at a block. */
  state(base: Base): BaseState
  /** Takes a head in: afterwards every value that is known to hold there serves it. Never rejects, and is bounded in time. */
  moveTo(head: UpstreamHead): Promise<void>
  /** What recent calls read, of the newest as much as there is room for: what is worth loading at a new head. */
  recentlyRead(): WantedState
  status(): CacheStatus
}

/** `limit` in bytes; values of the block `keep` are kept however far the head is. */
type CacheOptions = { limit: number; keep: Base }

type Needs = {
  upstream: Pick<Upstream, 'request' | 'readFields' | 'readState' | 'capabilities' | 'chainId' | 'head'>
  database: Database
  clock: Clock
  logger: Logger
  random?: () => number
  /** Whether this node stores the cache: of several, one does. */
  isStored?: () => boolean
}

/** Opens the cache as it was stored. */
export async function openUpstreamCache({ limit, keep }: CacheOptions, needs: Needs): Promise<UpstreamCache> {
  const { upstream, database, clock, logger, random = Math.random, isStored = () => true } = needs
  const { request } = upstream
  const mutex = createMutex()
  const kept = Number(keep.number)
  const chain = new CanonicalChain(request, kept)
  const store = new StateStore(limit, new Timeline(kept, kept))
  const sources = createChangeSources({ chainId: upstream.chainId, request, clock, logger })
  const mover = createHeadMover({ upstream, chain, store, sources, clock, logger })
  const check = createSpotCheck({ upstream, chain, store, sources, logger, random })
  const hints = new CallHints({ upstream, clock, logger })
  const learned = new LearnedSets(clock)
  const states = createUpstreamStates({ upstream, chain, store, clock, hints, learned })

  const repairing = createCacheRepair({ database, store, logger })
  store.now = clock.now()
  let restored: { isDoubtful: boolean } | undefined
  await repairing(async () => {
    restored = await restoreCache(database.queries, store, chain)
  })
  // What may hold no more is better than nothing, and worse than what upstream says.
  if (restored?.isDoubtful && upstream.head.current()) mover.forget()
  // Whoever opens a network on a base has seen that it is upstream's.
  if (chain.hash(kept) === undefined) chain.add(kept, keep.hash)

  /** Whether values may hold no more after a restart; `undefined` until upstream has told what it is: then they are taken for such. */
  let isDoubtful: boolean | undefined
  let asking: Promise<void> | undefined

  /** Finds out what upstream is, unless that is known; an upstream that is away is asked again at its next head. */
  function ask(): void {
    if (isDoubtful !== undefined) return
    asking ??= upstream
      .capabilities()
      .then(
        (capabilities) => {
          isDoubtful = changesOutsideOfBlocks(capabilities)
          // It was another kind of node when they were stored: then they were not expected to end.
          if (isDoubtful && restored?.isDoubtful === false) mover.forget()
        },
        (error) => logger.debug({ err: error }, 'Could not find out what upstream is'),
      )
      .finally(() => {
        asking = undefined
      })
  }
  if (upstream.head.current()) ask()

  let timer: Timer | undefined
  let savedTip = store.timeline.tip
  let isTrimmed = false
  let stopped = false

  const save = () =>
    mutex.run(async () => {
      if (!isStored()) {
        store.takeDirty()
        store.storeAnew()
        return
      }
      if (!store.isDirty && store.timeline.tip - savedTip < (stopped ? 1 : idleBlocks)) return
      savedTip = store.timeline.tip
      await repairing(async () => {
        await saveCache(database, store, chain, isDoubtful ?? restored?.isDoubtful ?? true)
        if (!isTrimmed) await trimStoredCache(database, store)
        isTrimmed = true
      })
    })

  function scheduleSave(): void {
    if (stopped) return
    timer = clock.after(saveIntervalMs, () => {
      if (upstream.head.current()) ask()
      save()
        .catch((error) => logger.warn({ err: error }, 'Could not store the cache; trying again'))
        .finally(scheduleSave)
    })
  }

  return {
    state(base) {
      store.now = clock.now()
      return states(base)
    },
    async moveTo(head) {
      store.now = clock.now()
      ask()
      const controller = new AbortController()
      // One listener for each request that is under way: no leak.
      setMaxListeners(0, controller.signal)
      const limiter = clock.after(moveLimitMs, () => controller.abort(new Error('it took too long')))
      try {
        await mover.moveTo(head, controller.signal)
        void check(head)
      } catch (error) {
        logger.debug({ err: error, block: head.number }, 'Could not take a head into the cache')
      } finally {
        limiter.cancel()
      }
    },
    recentlyRead: () => learned.recent(warmBudget),
    status: () => ({ tip: BigInt(store.timeline.tip), bytes: store.bytes, source: sources.current() }),
    async start() {
      scheduleSave()
    },
    async stop() {
      stopped = true
      timer?.cancel()
      if (asking) await within(clock, stopMs, asking, () => {})
      await save()
    },
  }
}
