import { setMaxListeners } from 'node:events'
import type { Address, Word } from '@understudy/evm'
import { createMutex } from '../../shared/async/mutex.ts'
import { type Clock, type Timer, within } from '../../shared/clock.ts'
import type { Service } from '../../shared/lifecycle.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Database } from '../../storage/database.ts'
import { saveSetting, upstreamProfilesKey } from '../../storage/records/settings.ts'
import { changesOutsideOfBlocks, createChangeSources } from '../changes/sources.ts'
import type { UpstreamHead } from '../head/head.ts'
import { CallHints } from '../prefetch/callHints.ts'
import { LearnedSets } from '../prefetch/learnedSets.ts'
import type { Upstream } from '../upstream.ts'
import type { Base, WantedState } from '../wantedState.ts'
import type { BaseState } from './baseState.ts'
import { createCacheRepair } from './cacheRepair.ts'
import { CanonicalChain } from './canonicalChain.ts'
import { createHeadMover } from './headMover.ts'
import { SlotSequences } from './slotSequences.ts'
import { createSpotCheck } from './spotCheck.ts'
import { StateStore } from './store.ts'
import { createStoredAnswers } from './storedAnswers.ts'
import { restoreCache, saveCache, trimStoredCache } from './storedCache.ts'
import { Timeline } from './timeline.ts'
import { createUpstreamStates } from './upstreamStates.ts'

/** How long the network waits for the changes of a head, in milliseconds. */
const moveLimitMs = 3_000
/** Maximum number of keys that are prefetched at a new head. */
const warmBudget = 100
const saveIntervalMs = 1_000
/** How long a stop waits until upstream's kind is known. */
const stopMs = 500
/** How many blocks the tip moves before it is stored although no value changed. */
const idleBlocks = 32

export type CacheStatus = {
  /** The latest block whose values are kept. */
  tip: bigint
  /** Approximate memory use. */
  bytes: number
  /** The method that last reported the changes of an upstream block; `undefined` if none did. */
  source: string | undefined
}

/** Fetched upstream state, each value for as long as it holds. */
export type UpstreamCache = Service & {
  /** Upstream's state at a block. */
  state(base: Base): BaseState
  /** Moves to a head: afterwards, it can use every value known to hold there. Never rejects, and is bounded in time. */
  moveTo(head: UpstreamHead): Promise<void>
  /** What recent calls read, newest first, as much as fits: the keys to prefetch at a new head. */
  recentlyRead(): WantedState
  /** The slots of an account of which some value is known. */
  slotsOf(address: Address): Word[]
  status(): CacheStatus
}

/** `limit` in bytes; values of the block `keep` are always kept; `isNew` drops what was stored. */
type CacheOptions = { limit: number; keep: Base; isNew?: boolean }

type Needs = {
  upstream: Pick<
    Upstream,
    'atBlock' | 'request' | 'readFields' | 'readState' | 'capabilities' | 'chainId' | 'head' | 'profiles'
  >
  database: Database
  clock: Clock
  logger: Logger
  random?: () => number
  /** Whether this node stores the cache: only one of several nodes does. */
  isStored?: () => boolean
}

type StorageNeeds = Pick<Needs, 'upstream' | 'database' | 'clock' | 'logger'> & {
  chain: CanonicalChain
  store: StateStore
  repairing: ReturnType<typeof createCacheRepair>
  isStored(): boolean
  /** Whether the values may be outdated after a restart. */
  mayBeOutdated(): boolean
  /** Called before each regular save. */
  beforeSave(): void
}

/** Keeps what is stored of the cache up to date. */
class CacheStorage {
  readonly #needs: StorageNeeds
  readonly #mutex = createMutex()
  #timer: Timer | undefined
  #savedProfiles = '{}'
  #savedTip: number
  #isTrimmed = false
  #isSaving = false
  #stopped = false

  constructor(needs: StorageNeeds) {
    this.#needs = needs
    this.#savedTip = needs.store.timeline.tip
  }

  start(): void {
    this.#scheduleSave()
  }

  /** What is saved after this is saved in full. */
  stop(): void {
    this.#stopped = true
    this.#timer?.cancel()
  }

  /** A later start knows what this one found of the URLs. */
  async #saveProfiles(): Promise<void> {
    const profiles = this.#needs.upstream.profiles()
    const found = JSON.stringify(profiles)
    if (found === this.#savedProfiles) return
    this.#savedProfiles = found
    await this.#needs.database.transaction((transaction) => saveSetting(transaction, upstreamProfilesKey, profiles))
  }

  save(): Promise<void> {
    return this.#mutex.run(async () => {
      if (!this.#needs.isStored()) {
        this.#needs.store.takeDirty()
        this.#needs.store.storeAnew()
        return
      }
      await this.#saveProfiles()
      if (
        !this.#needs.store.isDirty &&
        this.#needs.store.timeline.tip - this.#savedTip < (this.#stopped ? 1 : idleBlocks)
      )
        return
      this.#savedTip = this.#needs.store.timeline.tip
      await this.#needs.repairing(async () => {
        await saveCache(this.#needs.database, this.#needs.store, this.#needs.chain, this.#needs.mayBeOutdated())
        if (!this.#isTrimmed || this.#stopped) await trimStoredCache(this.#needs.database, this.#needs.store)
        this.#isTrimmed = true
      })
    })
  }

  /** Stores new values without delay: a process that is killed loses none that was used. */
  async saveNow(): Promise<void> {
    if (this.#isSaving || this.#stopped || !this.#needs.isStored()) return
    this.#isSaving = true
    try {
      do await this.save()
      while (this.#needs.store.isDirty && !this.#stopped && this.#needs.isStored())
    } catch (error) {
      this.#needs.logger.debug({ err: error }, 'Could not store new values; the next regular save tries again')
    } finally {
      this.#isSaving = false
    }
  }

  #scheduleSave(): void {
    if (this.#stopped) return
    this.#timer = this.#needs.clock.after(saveIntervalMs, () => {
      this.#needs.beforeSave()
      this.save()
        .catch((error) => this.#needs.logger.warn({ err: error }, 'Could not store the cache; retrying'))
        .finally(() => this.#scheduleSave())
    })
  }
}

/** Opens the stored cache. */
export async function openUpstreamCache(
  { limit, keep, isNew = false }: CacheOptions,
  needs: Needs,
): Promise<UpstreamCache> {
  const { upstream, database, clock, logger, random = Math.random, isStored = () => true } = needs
  const { request } = upstream
  const kept = Number(keep.number)
  const chain = new CanonicalChain(request, kept)
  const store = new StateStore(limit, new Timeline(kept, kept))
  const sources = createChangeSources({ chainId: upstream.chainId, request, clock, logger })
  const mover = createHeadMover({ upstream, chain, store, sources, clock, logger })
  const check = createSpotCheck({ upstream, chain, store, sources, logger, random })
  const hints = new CallHints({ upstream, clock, logger })
  const learned = new LearnedSets(clock)
  const repairing = createCacheRepair({ database, store, logger })
  const answers = createStoredAnswers({ database, logger, repairing, isStored })
  const states = createUpstreamStates({
    upstream,
    chain,
    store,
    clock,
    hints,
    learned,
    answers,
    sequences: new SlotSequences(store),
    onAdded: () => void storage.saveNow(),
  })

  store.now = clock.now()
  let restored: { mayBeOutdated: boolean } | undefined
  if (isNew) {
    store.storeAnew()
    await answers.clear()
  } else
    await repairing(async () => {
      restored = await restoreCache(database.queries, store, chain)
    })
  const head = upstream.head.current()
  // Possibly outdated values are better than none, but worse than upstream's, unless a network that had not stopped
  // would still use them.
  if (restored?.mayBeOutdated && head && !isTip(head)) mover.forget()
  // A network on this base has verified that it is upstream's.
  if (chain.hash(kept) === undefined) chain.add(kept, keep.hash)

  /** Whether values may be outdated after a restart; `undefined`, treated as true, until upstream's kind is known. */
  let mayBeOutdated: boolean | undefined
  let asking: Promise<void> | undefined

  /** Whether a head is the block that the stored values are of. */
  function isTip({ number, hash }: UpstreamHead): boolean {
    return Number(number) === store.timeline.tip && chain.has(store.timeline.tip, hash)
  }

  /** Determines the kind of upstream's node, unless known; if upstream is unreachable, tries again at its next head. */
  function ask(): void {
    if (mayBeOutdated !== undefined) return
    asking ??= upstream
      .capabilities()
      .then(
        (capabilities) => {
          mayBeOutdated = changesOutsideOfBlocks(capabilities)
          // The values were stored with another kind of node, whose values do not expire.
          if (mayBeOutdated && restored?.mayBeOutdated === false) mover.forget()
        },
        (error) => logger.debug({ err: error }, "Could not determine the kind of upstream's node"),
      )
      .finally(() => {
        asking = undefined
      })
  }
  // At the same head as before, nothing is asked that was known before.
  let isMoved = head !== undefined && !(restored && isTip(head))
  if (isMoved) ask()
  const storage = new CacheStorage({
    ...{ upstream, database, clock, logger, chain, store, repairing, isStored },
    mayBeOutdated: () => mayBeOutdated ?? restored?.mayBeOutdated ?? true,
    beforeSave() {
      if (isMoved) ask()
    },
  })

  return {
    state(base) {
      store.now = clock.now()
      return states(base)
    },
    async moveTo(head) {
      store.now = clock.now()
      isMoved ||= !isTip(head)
      if (isMoved) ask()
      const controller = new AbortController()
      // One listener per running request, so this is not a leak.
      setMaxListeners(0, controller.signal)
      const limiter = clock.after(moveLimitMs, () => controller.abort(new Error('it took too long')))
      try {
        await mover.moveTo(head, controller.signal)
        void check(head)
      } catch (error) {
        logger.debug({ err: error, block: head.number }, 'Could not move the cache to a head')
      } finally {
        limiter.cancel()
      }
    },
    recentlyRead: () => learned.recent(warmBudget),
    slotsOf: (address) => store.slotsOf(address),
    status: () => ({ tip: BigInt(store.timeline.tip), bytes: store.bytes, source: sources.current() }),
    async start() {
      storage.start()
    },
    async stop() {
      storage.stop()
      if (asking) await within(clock, stopMs, asking, () => {})
      await answers.stop()
      await storage.save()
    },
  }
}
