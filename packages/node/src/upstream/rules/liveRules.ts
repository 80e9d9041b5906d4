import { requireRules as requireForkRules } from '@understudy/evm'
import {
  blockRulesOf,
  type Disagreement,
  disagreementOf,
  type FoundRules,
  findRules,
  isAsStrong,
  isSameRules,
} from '../../ethereum/chains/foundRules.ts'
import { type ChainProfile, unknownChain } from '../../ethereum/chains/profile.ts'
import type { Header } from '../../ethereum/header.ts'
import { type BlockRules, isHardforkKnown, requireRules, type Schedule } from '../../ethereum/rules.ts'
import { withoutBudget } from '../../shared/budget/requestBudget.ts'
import { quantity } from '../../shared/hex.ts'
import type { Queries } from '../../storage/database.ts'
import { loadSetting, saveSetting } from '../../storage/records/settings.ts'
import type { UpstreamHead } from '../head/head.ts'
import { askRules } from './askRules.ts'
import { type ChainRules, type RulesNeeds, type RulesOptions, type RulesStatus, rulesKey } from './chainRules.ts'

/** How often a chain is asked that does not say when its rules change. */
const recheckMs = 600_000
/** For as many heads in a row, upstream is asked when something else disagrees with the rules in force. */
const askedHeads = 2

type Known = {
  /** Of the options, or of the table of chains. */
  known: ChainProfile | undefined
  /** Dates, on a chain that has some. */
  schedule: Schedule | undefined
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

class LiveRules {
  readonly #options: RulesOptions
  readonly #needs: RulesNeeds
  readonly #known: ChainProfile | undefined
  readonly #schedule: Schedule | undefined
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

  constructor(options: RulesOptions, { known, schedule }: Known, needs: RulesNeeds) {
    this.#options = options
    this.#needs = needs
    this.#known = known
    this.#schedule = schedule
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
    const first = await this.#ask(origin.header, !this.#options.isPinned, isAway)
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
    this.#set((await loadSetting<FoundRules[] | null>(queries, rulesKey)) ?? this.#found)
  }

  rulesAt(block: Point): BlockRules {
    const index = this.#indexAt(block)
    return index === undefined ? this.#datedRules(block) : (this.#rules[index] as BlockRules)
  }

  at(block: Point): RulesStatus {
    const index = this.#indexAt(block)
    const found = this.#found[index ?? this.#found.length - 1] as FoundRules
    if (index !== undefined) return statusOf(found)
    const { timestamp } = block
    const isInForce = found.source === 'schedule' && timestamp >= BigInt(found.since)
    return {
      hardfork: this.#schedule?.nameAt(block) ?? found.hardfork,
      source: 'schedule',
      since: undefined,
      disagreement: isInForce ? found.disagreement : undefined,
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
    this.#fields = fields
    if (isDue || isOld) {
      this.#asking ??= this.#check(head)
        .catch((error) => this.#needs.logger.warn({ err: error }, 'Could not ask upstream for its rules'))
        .finally(() => {
          this.#asking = undefined
        })
    }
    // No caller waits for a check that is only due by the clock.
    if (isDue) await this.#asking
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

  #rulesOf(found: FoundRules): BlockRules {
    const profile = this.#known ?? unknownChain(this.#options.chainId, found.stack)
    return blockRulesOf(found, profile, this.#options.l1Fee)
  }

  async #save(): Promise<void> {
    if (!this.#needs.isStored()) return
    await this.#needs.database.transaction((transaction) => saveSetting(transaction, rulesKey, this.#found))
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

  async #ask(header: Header, isHead: boolean, isAway = false): Promise<FoundRules> {
    const { request } = this.#needs
    const answers =
      request && !isAway
        ? await withoutBudget(() => askRules(request, quantity(header.number), isHead))
        : { features: undefined, delegates: false, config: undefined }
    const dated = this.#schedule?.namesAt(header)
    return findRules(answers, header, { profile: this.#known, thisYear: this.#thisYear, dated })
  }

  #logFirst(first: FoundRules): void {
    const { hardfork, source, stack } = first
    const { logger, request, isAway } = this.#needs
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
  async #check(head: UpstreamHead): Promise<void> {
    const before = this.#last
    const answered = await this.#ask(head.header, true)
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
      if (isFirst || next.source !== before.source) await this.#save()
    } else if (isHardforkKnown(next.hardfork)) {
      const { number, timestamp } = this.#needs.newest()
      const isAhead = timestamp >= head.timestamp
      const after = isAhead ? { number: String(number), timestamp: String(timestamp) } : undefined
      this.#set([...this.#found, { ...next, after }])
      this.#disagreement = undefined
      this.#compare(head, true)
      await this.#save()
      this.#tell('The rules of the live chain changed, and those of the network with them', head)
      this.#warnOfFields(next)
    } else {
      this.#needs.logger.error(
        { hardfork: next.hardfork, block: head.number },
        'The live chain went to a hardfork that is not known here: blocks go on by the rules of the last one',
      )
    }
  }

  #tell(message: string, head: UpstreamHead): void {
    const status = statusOf(this.#last)
    const { hardfork, source, disagreement } = status
    this.#needs.logger.warn({ hardfork, source, block: head.number, ...(disagreement && { disagreement }) }, message)
    this.#needs.onChange(status)
  }

  #disagreementAt(found: FoundRules, header: Header): Disagreement | undefined {
    return disagreementOf(found, header, this.#schedule?.nameAt(header))
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

const statusOf = ({ hardfork, source, since, disagreement }: FoundRules): RulesStatus => ({
  hardfork,
  source,
  since: BigInt(since),
  disagreement,
})

const isSame = (a: Disagreement | undefined, b: Disagreement | undefined): boolean =>
  a?.source === b?.source && a?.hardfork === b?.hardfork

/** Which fields a header has: an upgrade often brings one. */
const fieldsOf = (raw: Record<string, unknown>) =>
  Object.keys(raw)
    .filter((name) => raw[name] !== null && raw[name] !== undefined)
    .sort()
    .join()
