import type { Address, Hex, Message, Word } from '@understudy/evm'
import type { Clock } from '../../shared/clock.ts'
import { hexFromBytes, quantity } from '../../shared/hex.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Upstream } from '../upstream.ts'
import type { WantedState } from '../wantedState.ts'

/** A hint that takes longer than this many state reads saves nothing: a cold call takes about as many rounds. */
const worthRounds = 4
/** Minimum time to wait for a hint, in milliseconds. */
const shortestMs = 50
/** Number of useless hints after which only one call in `askAgainAfter` requests one. */
const uselessLimit = 3
const askAgainAfter = 50
/** Maximum number of keys taken from a hint. */
const keyLimit = 5_000

type Prestate = Record<Address, { storage?: Record<Word, Hex> }>
type AccessList = { accessList: { address: Address; storageKeys: Word[] }[] }

type Needs = {
  upstream: Pick<Upstream, 'request' | 'capabilities'>
  clock: Clock
  logger: Logger
}

/** Asks upstream what a call will read, with the prestate tracer or `eth_createAccessList`. */
export class CallHints {
  readonly #needs: Needs
  /** Average duration of a state read, in milliseconds; `undefined` before the first. */
  #roundMs: number | undefined
  #useless = 0
  #skipped = 0

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Records the duration of a state read. */
  tookRound(ms: number): void {
    this.#roundMs = this.#roundMs === undefined ? ms : this.#roundMs * 0.8 + ms * 0.2
  }

  /** Never rejects; `undefined` if upstream supports no hints, or does not answer soon enough. */
  async ask(message: Message, block: bigint): Promise<WantedState | undefined> {
    if (this.#useless >= uselessLimit && this.#skipped++ % askAgainAfter !== askAgainAfter - 1) return undefined
    const { clock, logger } = this.#needs
    const controller = new AbortController()
    const limitMs = Math.max(shortestMs, worthRounds * (this.#roundMs ?? shortestMs))
    const limiter = clock.after(limitMs, () => controller.abort(new Error('it took too long')))
    try {
      const wanted = await this.#load(message, quantity(block), controller.signal)
      if (wanted) this.#useless = 0
      return wanted
    } catch (error) {
      if (controller.signal.aborted) this.#useless++
      logger.debug({ err: error }, 'Upstream did not return a call hint')
      return undefined
    } finally {
      limiter.cancel()
    }
  }

  async #load({ from, to, value, data }: Message, tag: Hex, signal: AbortSignal): Promise<WantedState | undefined> {
    const { request, capabilities } = this.#needs.upstream
    const { prestateTracer, createAccessList } = await unlessAborted(capabilities(), signal)
    const call = { from, to, value: quantity(value), data: hexFromBytes(data) }
    if (prestateTracer) {
      // The sender may have funds only on this network.
      const stateOverrides = value > 0n ? { [from]: { balance: quantity(10n ** 30n) } } : undefined
      const config = { tracer: 'prestateTracer', ...(stateOverrides && { stateOverrides }) }
      const prestate = await request<Prestate>('debug_traceCall', [call, tag, config], { signal })
      return wantedState(
        Object.entries(prestate).map(([address, { storage }]) => [address, Object.keys(storage ?? {})]),
      )
    }
    if (!createAccessList) return undefined
    const { accessList } = await request<AccessList>('eth_createAccessList', [call, tag], { signal })
    return wantedState(accessList.map(({ address, storageKeys }) => [address, storageKeys]))
  }
}

/** Capabilities are detected once, which may take longer than one call can wait. */
function unlessAborted<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    task.then(resolve, reject)
  })
}

function wantedState(entries: readonly (readonly [address: string, slots: readonly string[]])[]): WantedState {
  const accounts = entries.map(([address]) => address.toLowerCase() as Address)
  const slots = entries.flatMap(([address, keys]) =>
    keys.map((slot) => [address.toLowerCase() as Address, slot.toLowerCase() as Word] as const),
  )
  return { accounts: accounts.slice(0, keyLimit), codes: [], slots: slots.slice(0, keyLimit), blockHashes: [] }
}
