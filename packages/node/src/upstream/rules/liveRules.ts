import { type Prices, pricesOf, requireRules as requireForkRules } from '@understudy/evm'
import {
  blockRulesOf,
  boundedFindings,
  type Disagreement,
  disagreementOf,
  type FoundRules,
  findRules,
  isAsStrong,
  isSameRules,
  namedRules,
  type RulesSource,
} from '../../ethereum/chains/foundRules.ts'
import {
  type ChainPrices,
  chainPrices,
  type PriceChange,
  priceChanges,
} from '../../ethereum/chains/prices/chainPrices.ts'
import { type ChainProfile, unknownChain } from '../../ethereum/chains/profile.ts'
import type { Header } from '../../ethereum/header.ts'
import { type BlockRules, isHardforkKnown, requireRules, type Schedule } from '../../ethereum/rules.ts'
import { withoutBudget } from '../../shared/budget/requestBudget.ts'
import { quantity } from '../../shared/hex.ts'
import type { Queries } from '../../storage/database.ts'
import { loadSetting, saveSetting } from '../../storage/records/settings.ts'
import type { UpstreamHead } from '../head/head.ts'
import { askRules } from './askRules.ts'
import {
  type ChainRules,
  namedRulesKey,
  type RulesNeeds,
  type RulesOptions,
  type RulesStatus,
  rulesKey,
} from './chainRules.ts'
import { LivePrices } from './livePrices.ts'

/** How often a chain is asked that does not say when its rules change. */
const recheckMs = 600_000
/** For as many heads in a row, upstream is asked when something else disagrees with the rules in force. */
const askedHeads = 2

type Known = {
  /** Of the options, or of the table of chains. */
  known: ChainProfile | undefined
  /** Dates, on a chain that has some. */
  schedule: Schedule | undefined
  /** The hardfork that is named, or that a network has which forks nothing. */
  named: { hardfork: string; source: RulesSource } | undefined
}

/** Finds what the live chain shows by its answers and its headers, and finds it again when that may have changed. */
export async function openLiveRules(options: RulesOptions, known: Known, needs: RulesNeeds): Promise<ChainRules> {
  const rules = new LiveRules(options, known, needs)
  await rules.open()
  return {
    hardforks: (block) => rules.rulesAt(block),
    profile: rules.profile,
    schedule: known.schedule?.forks,
    at: (block) => rules.at(block),
    follow: (head) => rules.follow(head),
    refresh: ({ queries }) => rules.load(queries),
  }
}

type Point = { number: bigint; timestamp: bigint }
type Asking = { isHead: boolean; measures: boolean; hasTime?: boolean; isAway?: boolean }

class LiveRules {
  readonly #options: RulesOptions
  readonly #needs: RulesNeeds
  readonly #known: ChainProfile | undefined
  readonly #schedule: Schedule | undefined
  readonly #named: Known['named']
  readonly #prices: LivePrices
  readonly #thisYear: bigint
  /** Oldest first. */
  #found: FoundRules[] = []
  /** Those of what was found. */
  #rules: BlockRules[] = []
  /** The fields of the last head. */
  #fields: string
  /** The last head that was compared with the rules. */
  #compared: unknown
  /** What disagrees with the rules in force, and for how many heads. */
  #disagreement: { found: Disagreement; heads: number } | undefined
  #askedAt: number | undefined
  /** Whether what was found is only what is known without upstream. */
  #isUnasked = false
  #asking: Promise<void> | undefined

  constructor(options: RulesOptions, { known, schedule, named }: Known, needs: RulesNeeds) {
    this.#options = options
    this.#needs = needs
    this.#known = known
    this.#schedule = schedule
    this.#named = named
    this.#prices = new LivePrices(options, needs)
    this.#thisYear = BigInt(Math.floor(Date.UTC(new Date(needs.clock.now()).getUTCFullYear(), 0) / 1000))
    this.#fields = fieldsOf(needs.origin.raw)
  }

  get profile(): ChainProfile {
    return this.#known ?? unknownChain(this.#options.chainId, this.#found.at(-1)?.stack)
  }

  /** Loads what was found before, or asks. Throws `HARDFORK_UNKNOWN`. */
  async open(): Promise<void> {
    const { database, request, isAway, origin } = this.#needs
    await this.load(database.queries)
    if (this.#found.length > 0) return
    const first = await this.#ask(origin.header, { isHead: !this.#options.isPinned, measures: true, isAway })
    requireRules(first.hardfork)
    this.#logFirst(first)
    this.#compared = origin.raw.hash
    const different = this.#disagreementAt(first, origin.header)
    if (different) this.#disagreement = { found: different, heads: 1 }
    // No other head will show whether it stays.
    this.#set([this.#options.isPinned && different ? { ...first, disagreement: different } : first])
    this.#isUnasked = isAway
    if (!request || isAway) return
    this.#askedAt = this.#needs.clock.now()
    await this.#save()
  }

  async load(queries: Queries): Promise<void> {
    const stored = (await loadSetting<FoundRules[] | null>(queries, this.#key)) ?? this.#found
    const isOther = this.#named && stored.at(-1)?.hardfork !== this.#named.hardfork
    this.#set(isOther ? [] : stored.map((found) => ({ ...found, prices: this.#prices.known(found) })))
  }

  rulesAt(block: Point): BlockRules {
    const index = this.#indexAt(block)
    return index === undefined ? this.#datedRules(block) : (this.#rules[index] as BlockRules)
  }

  at(block: Point): RulesStatus {
    const index = this.#indexAt(block)
    const found = this.#found[index ?? this.#found.length - 1] as FoundRules
    if (index !== undefined) return this.#statusOf(found)
    const { timestamp } = block
    const isInForce = found.source === 'schedule' && timestamp >= BigInt(found.since)
    return {
      hardfork: this.#schedule?.nameAt(block) ?? found.hardfork,
      source: 'schedule',
      since: undefined,
      disagreement: isInForce ? found.disagreement : undefined,
      prices: chainPrices(this.#datedRules(block).fork, {}),
    }
  }

  async follow(head: UpstreamHead): Promise<void> {
    const { request, clock, base } = this.#needs
    if (this.#options.isPinned || !request || !this.#needs.isStored()) return
    const { nextAt } = this.#last
    const fields = fieldsOf(head.raw)
    const isNew = this.#compare(head)
    const isDoubted = isNew && this.#disagreement !== undefined && this.#disagreement.heads <= askedHeads
    const isDated = nextAt !== undefined && head.timestamp >= BigInt(nextAt)
    const isDue = fields !== this.#fields || isDated || isDoubted || this.#isUnasked
    const isOld = this.#askedAt === undefined ? head.hash !== base.hash : clock.now() - this.#askedAt >= recheckMs
    const measures = isDue || this.#prices.areDue
    this.#fields = fields
    if (this.#named && !measures) return
    if (isDue || isOld) {
      this.#asking ??= this.#check(head, { measures, hasTime: !isDue })
        .catch((error) => this.#needs.logger.warn({ err: error }, 'Could not ask upstream for its rules'))
        .finally(() => {
          this.#asking = undefined
        })
    }
    // No caller waits for a check that is only due by the clock.
    if (isDue) {
      this.#prices.hurry()
      await this.#asking
    }
    if (isNew) await this.#noteDisagreement(head)
  }

  get #last(): FoundRules {
    return this.#found.at(-1) as FoundRules
  }

  #set(found: FoundRules[]): void {
    // Rules are told apart by their objects.
    this.#rules = found.map((each, index) => {
      const before = this.#found[index]
      const isSame = before && isSameRules(each, before)
      return isSame ? (this.#rules[index] as BlockRules) : this.#rulesOf(each)
    })
    this.#found = found
  }

  get #key(): string {
    return this.#named ? namedRulesKey : rulesKey
  }

  #rulesOf(found: FoundRules): BlockRules {
    const profile = this.#known ?? unknownChain(this.#options.chainId, found.stack)
    return blockRulesOf(found, profile, this.#options.l1Fee)
  }

  async #save(): Promise<void> {
    if (!this.#needs.isStored()) return
    await this.#needs.database.transaction((transaction) => saveSetting(transaction, this.#key, this.#found))
  }

  /** The last that were found at a block of this time or before; `undefined` where dates decide. */
  #indexAt({ number, timestamp }: Point): number | undefined {
    const index = this.#found.findLastIndex(({ since, after }) => {
      const isBefore = after && number <= BigInt(after.number) && timestamp <= BigInt(after.timestamp)
      return BigInt(since) <= timestamp && !isBefore
    })
    if (!this.#schedule) return Math.max(index, 0)
    return index < 0 || this.#found[index]?.source === 'schedule' ? undefined : index
  }

  /** A fork that is not known here is told when it begins; until then the network goes on by the last one. */
  #datedRules(block: Point): BlockRules {
    const name = this.#schedule?.nameAt(block) ?? this.#last.hardfork
    const newest = this.#schedule?.forks.at(-1)
    return isHardforkKnown(name) || !newest ? requireRules(name) : newest.rules
  }

  async #ask(header: Header, { isHead, measures, hasTime = false, isAway }: Asking): Promise<FoundRules> {
    const { request } = this.#needs
    const questions = {
      isHead,
      isNamed: this.#named !== undefined,
      measures: measures && this.#prices.areMeasured,
      hasBaseFee: header.baseFeePerGas !== undefined,
    }
    const answers =
      request && !isAway
        ? await withoutBudget(() => askRules(request, quantity(header.number), questions))
        : { features: undefined, delegates: false, config: undefined }
    const dated = this.#schedule?.namesAt(header)
    const known = { profile: this.#known, thisYear: this.#thisYear, dated }
    const found = this.#named
      ? namedRules(this.#named.hardfork, this.#named.source, header, this.profile.stack)
      : findRules(answers, header, known)
    const before = this.#found.at(-1)
    const prices = found.hardfork === before?.hardfork ? before.prices : undefined
    const asked = { readings: answers.readings, before: prices, hasTime }
    return { ...found, prices: await withoutBudget(() => this.#prices.find(found, header, asked)) }
  }

  #logFirst(first: FoundRules): void {
    const { hardfork, source, stack } = first
    const { logger, request, isAway } = this.#needs
    this.#logPrices(first)
    if (source === 'header' && request && !isAway)
      logger.warn(
        { hardfork, chain: String(this.#options.chainId) },
        'Upstream did not show its rules; they were guessed by the header. Name them with --hardfork if they are others',
      )
    else logger.info({ hardfork, source, stack }, 'Found the rules')
    this.#warnOfFields(first)
  }

  /** A block of this network can have the fields of blobs and requests; a list of accesses is made by the rules of its fork. */
  #warnOfFields({ hardfork, fields }: FoundRules): void {
    const rules = requireForkRules(requireRules(hardfork).fork)
    if (fields === undefined || (rules.baseFee && !requireForkRules(fields).accessLists)) return
    this.#needs.logger.warn(
      { hardfork, fields },
      'Headers of the live chain have fields of a later hardfork that blocks of this network lack',
    )
  }

  /** Asks at a head, and takes over what differs. */
  async #check(head: UpstreamHead, asking: Omit<Asking, 'isHead'>): Promise<void> {
    const before = this.#last
    const answered = await this.#ask(head.header, { isHead: true, ...asking })
    this.#askedAt = this.#needs.clock.now()
    const isFirst = this.#isUnasked
    this.#isUnasked = false
    const isSameFork = answered.hardfork === before.hardfork
    if (!isAsStrong(answered, before)) {
      // What upstream did not answer this time says nothing, unless something else has changed.
      const different = this.#disagreementAt(before, head.header)
      if (isSameFork || !different || isSame(different, before.disagreement)) return
    }
    const next = isSameFork ? { ...answered, blobs: answered.blobs ?? before.blobs } : answered
    if (isSameRules(next, before)) {
      this.#set([
        ...this.#found.slice(0, -1),
        { ...next, since: before.since, after: before.after, disagreement: before.disagreement },
      ])
      if (isFirst || next.source !== before.source || !isKnownAlike(next.prices, before.prices)) await this.#save()
    } else if (isHardforkKnown(next.hardfork)) {
      const { number, timestamp } = this.#needs.newest()
      const isAhead = timestamp >= head.timestamp
      const after = isAhead ? { number: String(number), timestamp: String(timestamp) } : undefined
      this.#set(boundedFindings([...this.#found, { ...next, after }]))
      this.#disagreement = undefined
      this.#compare(head, true)
      await this.#save()
      const prices = priceChanges(allPrices(before), allPrices(next))
      this.#tell('The rules of the live chain changed, and those of the network with them', head, prices)
      this.#warnOfFields(next)
      this.#logPrices(next)
    } else {
      this.#needs.logger.error(
        { hardfork: next.hardfork, block: head.number },
        'The live chain went to a hardfork that is not known here: blocks go on by the rules of the last one',
      )
    }
  }

  #tell(message: string, head: UpstreamHead, prices: PriceChange[] = []): void {
    const status = this.#statusOf(this.#last)
    const { hardfork, source, disagreement } = status
    const more = { ...(disagreement && { disagreement }), ...(prices.length > 0 && { prices }) }
    this.#needs.logger.warn({ hardfork, source, block: head.number, ...more }, message)
    this.#needs.onChange(status, prices)
  }

  #disagreementAt(found: FoundRules, header: Header): Disagreement | undefined {
    if (this.#named) return undefined
    return disagreementOf(found, header, this.#schedule?.nameAt(header))
  }

  #statusOf({ hardfork, source, since, disagreement, prices }: FoundRules): RulesStatus {
    return {
      hardfork,
      source,
      since: this.#named ? undefined : BigInt(since),
      disagreement,
      prices: prices ?? chainPrices(requireRules(hardfork).fork, {}),
    }
  }

  /** Says what is unlike the prices of the hardfork, and what no price explains. */
  #logPrices({ hardfork, prices }: FoundRules): void {
    const { logger, request, isAway } = this.#needs
    if (!prices || !request || isAway) return
    const { source, values, odd } = prices
    if (Object.keys(values).length > 0)
      logger.info({ hardfork, source, prices: values }, "The live chain has other prices than its hardfork's")
    if (source !== 'measured' && this.#prices.areMeasured)
      logger.info({ hardfork, source }, 'Upstream did not show its prices')
    if (odd.length > 0)
      logger.warn(
        { chain: this.profile.name, hardfork, odd },
        'The live chain has prices that are no plain numbers: gas differs from that here',
      )
  }

  /** Compares the rules in force with a head. False if it was compared before. */
  #compare({ hash, header }: UpstreamHead, isAgain = false): boolean {
    if (hash === this.#compared && !isAgain) return false
    this.#compared = hash
    const found = this.#disagreementAt(this.#last, header)
    const { heads = 0 } = isSame(found, this.#disagreement?.found) ? (this.#disagreement ?? {}) : {}
    const isShown = isSame(found, this.#last.disagreement)
    this.#disagreement = found && { found, heads: isShown ? askedHeads + 1 : heads + 1 }
    return true
  }

  /** Shows a disagreement that stands for more than one head, and that it is gone. */
  async #noteDisagreement(head: UpstreamHead): Promise<void> {
    const { found, heads = 0 } = this.#disagreement ?? {}
    const shown = heads >= askedHeads ? found : undefined
    const last = this.#last
    if (isSame(shown, last.disagreement)) return
    this.#set([...this.#found.slice(0, -1), { ...last, disagreement: shown }])
    await this.#save()
    this.#tell(
      shown ? 'The live chain shows other rules elsewhere' : 'The live chain shows the same rules everywhere',
      head,
    )
  }
}

const allPrices = ({ hardfork, prices }: FoundRules): Prices => ({
  ...pricesOf(requireRules(hardfork).fork),
  ...prices?.values,
})

/** Whether prices are known in the same way. */
const isKnownAlike = (a: ChainPrices | undefined, b: ChainPrices | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

const isSame = (a: Disagreement | undefined, b: Disagreement | undefined): boolean =>
  a?.source === b?.source && a?.hardfork === b?.hardfork

/** Which fields a header has: an upgrade often brings one. */
const fieldsOf = (raw: Record<string, unknown>) =>
  Object.keys(raw)
    .filter((name) => raw[name] !== null && raw[name] !== undefined)
    .sort()
    .join()
