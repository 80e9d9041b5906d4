import type { Config } from '../config/config.ts'
import { mayNameUrls } from '../config/config.ts'
import type { Clock } from '../shared/clock.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import { createStopper } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { maskUrl } from '../shared/urls.ts'
import type { KnownChain, Upstream } from '../upstream/upstream.ts'
import { openUpstream } from './liveChain.ts'
import { forkedNetwork, type StoredNetwork } from './network.ts'
import type { Recorder } from './openRecorder.ts'

/** Resets the network to its start or to another fork. */
export type Resets = {
  /**
   * Without options, resets to the start. Otherwise forks block `blockNumber` (default: the latest) of the chain at
   * `url` (default: the current one). Throws `UPSTREAM_UNAVAILABLE` or `BLOCK_NOT_FOUND` and then changes nothing.
   */
  reset(target: { url: string | undefined; blockNumber: bigint | undefined }): Promise<void>
  /**
   * Forks the same live chain at another URL, and keeps everything local. Throws `RESET_URL_UNUSABLE` if another chain, or none,
   * answers there.
   */
  setUrl(url: string): Promise<void>
}

/** What becomes of everything local when a network is replaced. */
export type LocalState = 'deleted' | 'kept'

type Needs = {
  /** The current live chain and the block at which the network was forked. */
  forkUrls: readonly string[]
  origin: bigint
  /** What `anvil_metadata` returns of this network. */
  loadInstanceId(): Promise<string>
  /** Resets the network to its start. */
  begin(): Promise<void>
  /** The identity of this network, and the live chain that it forks. */
  load(): Promise<{ current: StoredNetwork; known: KnownChain | undefined } | undefined>
  /** Replaces this network with another. */
  replaceBy(next: StoredNetwork, local: LocalState): Promise<void>
  recorder: Recorder | undefined
  clock: Clock
  logger: Logger
}

/** Creates the service that resets a network to its start, or restarts it at another block or on another live chain. */
export function createResets(
  config: Config,
  { forkUrls, origin, loadInstanceId, begin, load, replaceBy, recorder, clock, logger }: Needs,
): Resets {
  async function describeFork(
    urls: readonly string[],
    forkBlockNumber: bigint | undefined,
    stopper: ReturnType<typeof createStopper>,
  ): Promise<StoredNetwork> {
    const upstream = openUpstream(config, urls, undefined, { recorded: recorder, clock, logger }, stopper)
    if (!upstream) throw new NetworkError('NOT_A_FORK', { what: 'a reset' })
    await upstream.start()
    await requireOther(upstream)
    return forkedNetwork({ chainId: config.chainId, forkBlockNumber, forkTransactionHash: undefined }, upstream)
  }

  /** A network that follows itself would seal a block for each of its blocks. */
  async function requireOther(upstream: Upstream): Promise<void> {
    const answer = await upstream.request('anvil_metadata', []).catch(() => undefined)
    if ((answer as { instanceId?: unknown } | undefined)?.instanceId === (await loadInstanceId()))
      throw new NetworkError('UPSTREAM_UNAVAILABLE', { problem: 'it is this network' })
  }

  /** Throws unless the URL is one that the network may use. */
  function requireAllowed(): void {
    if (!mayNameUrls(config)) throw new NetworkError('RESET_TO_URL_NOT_ALLOWED', {})
  }

  /** The caller learns only whether the chain answers at the URL, because the URL may be reachable only from this machine. */
  function refuseUrl(url: string, error: unknown): never {
    logger.warn({ err: error, upstream: maskUrl(url) }, 'Refused a reset to a URL')
    throw new NetworkError('RESET_URL_UNUSABLE', {})
  }

  /** The stored form of URLs: those of the configuration are not stored. */
  const urlsOf = (urls: readonly string[]) =>
    urls.every((each) => config.forkUrls.includes(each)) ? {} : { forkUrls: [...urls] }

  return {
    async reset({ url, blockNumber }) {
      if (url === undefined && (blockNumber === undefined || blockNumber === origin)) return begin()
      const urls = url === undefined ? forkUrls : [url]
      if (urls.length === 0 && !recorder)
        throw new NetworkError('NOT_A_FORK', { what: `a reset to block ${blockNumber}` })
      if (url !== undefined) requireAllowed()
      const stopper = createStopper()
      try {
        const next = await describeFork(urls, blockNumber, stopper).catch((error) => {
          if (url === undefined || !isNetworkError(error) || isNetworkError(error, 'BLOCK_NOT_FOUND')) throw error
          return refuseUrl(url, error)
        })
        await replaceBy({ ...next, isReset: true, ...urlsOf(urls) }, 'deleted')
      } finally {
        await stopper.stop()
      }
    },
    async setUrl(url) {
      const { current, known } = (await load()) ?? {}
      if (!current || !known) throw new NetworkError('NOT_A_FORK', { what: 'a change of its URL' })
      requireAllowed()
      const stopper = createStopper()
      try {
        const upstream = openUpstream(config, [url], known, { recorded: recorder, clock, logger }, stopper)
        await upstream?.start()
        // A chain that is known may be away at a start.
        if (!upstream?.head.current()) throw new NetworkError('UPSTREAM_UNAVAILABLE', { problem: 'it does not answer' })
        await requireOther(upstream)
      } catch (error) {
        refuseUrl(url, error)
      } finally {
        await stopper.stop()
      }
      const { forkUrls: _, ...kept } = current
      await replaceBy({ ...kept, ...urlsOf([url]) }, 'kept')
    },
  }
}
