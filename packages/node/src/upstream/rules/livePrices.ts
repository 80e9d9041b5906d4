import type { FoundRules } from '../../ethereum/chains/foundRules.ts'
import {
  type ChainPrices,
  chainPrices,
  measuredPointEvaluation,
  withoutProfile,
} from '../../ethereum/chains/prices/chainPrices.ts'
import { findPrices, type MeasuredPrices } from '../../ethereum/chains/prices/foundPrices.ts'
import {
  hasPointEvaluation,
  pointEvaluationCall,
  pointEvaluationPrice,
  withPointEvaluation,
} from '../../ethereum/chains/prices/pointEvaluation.ts'
import { isShown, type Readings } from '../../ethereum/chains/prices/readings.ts'
import { tabledPrices } from '../../ethereum/chains/prices/tabledPrices.ts'
import type { Header } from '../../ethereum/header.ts'
import { isHardforkKnown, requireRules } from '../../ethereum/rules.ts'
import { quantity } from '../../shared/hex.ts'
import { briefRetryMs } from '../transport/requests.ts'
import type { RulesNeeds, RulesOptions } from './chainRules.ts'
import { ownReadings } from './ownReadings.ts'

const dayMs = 86_400_000
/** For the first proof of a node, which reads what all proofs need. */
const proofMs = 20_000

/** What is known beside the rules. */
type Known = {
  readings: Readings | undefined
  /** With the same hardfork. */
  before: ChainPrices | undefined
  /** Whether no caller waits for the prices. */
  hasTime: boolean
}

type Point = Pick<Header, 'number' | 'timestamp'>

/** Finds the prices of the live chain, and says when to measure them again: once more after the first time, and then daily. */
export class LivePrices {
  readonly #options: Pick<RulesOptions, 'chainId' | 'profile' | 'prices'>
  readonly #needs: Pick<RulesNeeds, 'request' | 'engine' | 'origin' | 'clock'>
  #measuredAt: number | undefined
  #isConfirmed = false
  #proving: AbortController | undefined

  constructor(options: RulesOptions, needs: RulesNeeds) {
    this.#options = options
    this.#needs = needs
  }

  /** Whether they can be other than the fork's. */
  get areMeasured(): boolean {
    return this.#options.prices === 'measured'
  }

  /** Whether they are measured at the next occasion. */
  get areDue(): boolean {
    if (!this.areMeasured) return false
    return !this.#isConfirmed || this.#needs.clock.now() - (this.#measuredAt ?? 0) >= dayMs
  }

  /** Gives up what is only waited for by prices. */
  hurry(): void {
    this.#proving?.abort()
  }

  /** The prices by what the measures took, and by what was known before. */
  async find(
    found: FoundRules,
    header: Header,
    { readings, before, hasTime }: Known,
  ): Promise<ChainPrices | undefined> {
    if (readings) {
      this.#isConfirmed = hasTime && this.#measuredAt !== undefined
      this.#measuredAt = this.#needs.clock.now()
    }
    if (!isHardforkKnown(found.hardfork) || !this.areMeasured) return this.known(found, header)
    const { fork } = requireRules(found.hardfork)
    if (!readings || !isShown(readings)) return this.known({ ...found, prices: before }, header)
    const rules = { fork, ...(found.precompiles.length > 0 && { precompiles: new Map(found.precompiles) }) }
    const measured = await findPrices(readings, rules, (prices) =>
      ownReadings(this.#needs.engine, { ...rules, prices }),
    )
    if (!hasPointEvaluation(fork, found.precompiles)) return this.#with(found, header, measured, before?.values)
    const answer = hasTime ? await this.#askPointEvaluation(header) : undefined
    const price = pointEvaluationPrice(answer, measured, fork) ?? measuredPointEvaluation(before)
    return this.#with(found, header, withPointEvaluation(measured, price), before?.values)
  }

  /** Asks by itself, and for so long only, as some nodes take seconds; `undefined` if it is not answered. */
  async #askPointEvaluation({ number }: Header): Promise<unknown> {
    const { request, clock } = this.#needs
    const proving = new AbortController()
    this.#proving = proving
    const timer = clock.after(proofMs, () => proving.abort())
    const options = { signal: proving.signal, retryMs: briefRetryMs, isSlow: true }
    try {
      return await request?.('eth_call', pointEvaluationCall(quantity(number)), options)
    } catch {
      return undefined
    } finally {
      timer.cancel()
    }
  }

  /** What is known of prices without measuring them again: the profile may be another than when they were stored. */
  known(found: FoundRules, header: Point = this.#needs.origin.header): ChainPrices | undefined {
    if (!isHardforkKnown(found.hardfork)) return undefined
    const { prices } = found
    if (!this.areMeasured) return chainPrices(requireRules(found.hardfork).fork, {})
    if (prices?.source !== 'measured') return this.#with(found, header, undefined)
    return this.#with(found, header, { ...prices, prices: withoutProfile(prices) })
  }

  #with(
    found: FoundRules,
    header: Point,
    measured: MeasuredPrices | undefined,
    before?: MeasuredPrices['prices'],
  ): ChainPrices {
    const { chainId, profile } = this.#options
    const { fork } = requireRules(found.hardfork)
    const tabled = profile ? undefined : tabledPrices(chainId, header)
    return chainPrices(fork, { measured, before, named: profile?.prices, tabled })
  }
}
