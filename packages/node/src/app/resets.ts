import type { Config } from '../config/config.ts'
import type { Resets } from '../rpc/services.ts'
import type { Clock } from '../shared/clock.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import { maskUrl } from '../shared/maskUrl.ts'
import { openUpstream } from './liveChain.ts'
import { forkedNetwork, type StoredNetwork } from './network.ts'
import { createStopper } from './stopper.ts'

type Needs = {
  /** The current live chain and the block at which the network was forked. */
  forkUrls: readonly string[]
  origin: bigint
  /** Resets the network to its start. */
  begin(): Promise<void>
  /** Replaces this network with another. */
  replaceBy(next: StoredNetwork): Promise<void>
  clock: Clock
  logger: Logger
}

/** Creates the service that resets a network to its start, or restarts it at another block or on another live chain. */
export function createResets(config: Config, { forkUrls, origin, begin, replaceBy, clock, logger }: Needs): Resets {
  async function describeFork(
    urls: readonly string[],
    forkBlockNumber: bigint | undefined,
    stopper: ReturnType<typeof createStopper>,
  ): Promise<StoredNetwork> {
    const upstream = openUpstream(config, urls, undefined, { clock, logger }, stopper)
    if (!upstream) throw new NetworkError('NOTHING_FORKED', { what: 'a reset' })
    await upstream.start()
    return forkedNetwork({ chainId: config.chainId, forkBlockNumber }, upstream)
  }

  return {
    async reset({ url, blockNumber }) {
      if (url === undefined && (blockNumber === undefined || blockNumber === origin)) return begin()
      const urls = url === undefined ? forkUrls : [url]
      if (urls.length === 0) throw new NetworkError('NOTHING_FORKED', { what: `a reset to block ${blockNumber}` })
      if (url !== undefined && !(config.resetToUrl ?? !config.insecure)) throw new NetworkError('RESET_TO_URL_OFF', {})
      const stopper = createStopper()
      try {
        const next = await describeFork(urls, blockNumber, stopper).catch((error) => {
          // The caller learns only whether a live chain answers at the URL, because the URL may be reachable only from
          // this machine.
          if (url === undefined || !isNetworkError(error) || isNetworkError(error, 'BLOCK_NOT_FOUND')) throw error
          logger.warn({ err: error, upstream: maskUrl(url) }, 'Refused a reset to a URL')
          throw new NetworkError('RESET_URL_UNUSABLE', {})
        })
        const isConfigured = urls.every((each) => config.forkUrls.includes(each))
        await replaceBy({ ...next, isReset: true, ...(!isConfigured && { forkUrls: [...urls] }) })
      } finally {
        await stopper.stop()
      }
    },
  }
}
