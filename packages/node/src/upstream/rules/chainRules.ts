import type { Hex } from '@understudy/evm'
import {
  blockRulesOf,
  type FoundRules,
  findRules,
  isSameRules,
  type RulesAnswers,
  type RulesSource,
} from '../../ethereum/chains/foundRules.ts'
import { delegates, delegationCall, featuresFromAnswer, probeCall } from '../../ethereum/chains/probe.ts'
import { type ChainProfile, unknownChain } from '../../ethereum/chains/profile.ts'
import { knownProfile } from '../../ethereum/chains/profiles.ts'
import type { Header } from '../../ethereum/header.ts'
import {
  forkOfHeader,
  type Hardforks,
  isHardforkKnown,
  newestStableFork,
  requireRules,
  type Schedule,
  type ScheduledFork,
  scheduleOf,
} from '../../ethereum/rules.ts'
import { withoutBudget } from '../../shared/budget/requestBudget.ts'
import type { Clock } from '../../shared/clock.ts'
import { isAnsweredError, NetworkError } from '../../shared/errors.ts'
import { quantity } from '../../shared/hex.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Database } from '../../storage/database.ts'
import { loadSetting, saveSetting } from '../../storage/records/settings.ts'
import type { ChangeNotice } from '../../storage/tables.ts'
import type { UpstreamHead } from '../head/head.ts'
import type { Request } from '../transport/requests.ts'
import type { Base } from '../wantedState.ts'

/** Which rules a network has, and where it knows them from. */
export type RulesStatus = {
  hardfork: string
  source: RulesSource
  /** The time of the first block for which they were found, in seconds; `undefined` where they hold for good. */
  since: bigint | undefined
}

/** The rules of the chain that is forked: found when the network begins, and followed from then on. */
export type ChainRules = {
  readonly hardforks: Hardforks
  readonly profile: ChainProfile
  /** Forks that begin at a time; `undefined` where no schedule is known. */
  readonly schedule: ScheduledFork[] | undefined
  at(block: { number: bigint; timestamp: bigint }): RulesStatus
  /** Takes an upgrade of the live chain over, with the block that brings it. To be called before the network moves to that. */
  follow(head: UpstreamHead): Promise<void>
  /** Takes in what another node found. */
  refresh(notice: Pick<ChangeNotice, 'queries'>): Promise<void>
}

/** The setting that holds what was found, the oldest first. */
export const rulesKey = 'chainRules'
/** How often a chain is asked that does not say when its rules change. */
const recheckMs = 600_000

type Options = {
  /** That of the live chain. */
  chainId: bigint
  /** Of `--hardfork`. */
  hardfork: string | undefined
  /** Of `--chain-profile`. */
  profile: ChainProfile | undefined
  /** Whether transactions pay for their data, where the live chain lets them. */
  l1Fee: boolean
  /** Whether there is no live chain whose rules could be found. */
  forksNothing: boolean
  /** Whether the network stays at the block where it left the live chain. */
  isPinned: boolean
}

type Needs = {
  database: Database
  /** `undefined` for a network that forks nothing, and while upstream is away. */
  request: Request | undefined
  /** The block at which the network left the live chain. */
  origin: { header: Header; raw: Record<string, unknown> }
  /** The upstream block that the network is on: at it, the stored rules hold. */
  base: Base
  /** Whether this node may store what is found: of several, one does. */
  isStored(): boolean
  clock: Clock
  logger: Logger
  /** Called when the rules of the live chain changed. */
  onChange(status: RulesStatus): void
}

/** Finds the rules of a network. Throws `HARDFORK_UNKNOWN`, `CHAIN_NOT_EVM`. */
export async function openChainRules(options: Options, needs: Needs): Promise<ChainRules> {
  const { chainId } = options
  const { origin } = needs
  const known = options.profile ?? knownProfile(chainId)
  const refused = known?.stack === 'eravm' ? known.name : 'l1BatchNumber' in origin.raw ? `chain ${chainId}` : undefined
  if (refused !== undefined) throw new NetworkError('CHAIN_NOT_EVM', { name: refused })

  const fixed = options.hardfork ?? options.profile?.hardfork
  const profile = known ?? unknownChain(chainId)
  const { header } = origin
  const { l1Fee } = options
  if (fixed !== undefined)
    return fixedRules(fixed, options.hardfork === undefined ? 'profile' : 'option', profile, { l1Fee, header })
  const schedule = options.profile === undefined ? scheduleOf(chainId, header) : undefined
  if (schedule) return scheduledRules(schedule, profile, needs)
  if (options.forksNothing) return fixedRules(newestStableFork, 'default', profile, { l1Fee, header })
  return foundRules(options, known, needs)
}

/** Rules that are named, or that only the header shows, for good. */
function fixedRules(
  hardfork: string,
  source: RulesSource,
  profile: ChainProfile,
  { l1Fee, header }: { l1Fee: boolean; header: Header },
): ChainRules {
  const { stack, fees } = profile
  const [optimism, arbitrum] = [stack === 'optimism', stack === 'arbitrum']
  const l1Fees = l1Fee && optimism
  const keepsDifficulty = arbitrum || isKept(header)
  const rules = { ...requireRules(hardfork), fees, l1Fees, optimism, arbitrum, keepsDifficulty }
  return {
    hardforks: () => rules,
    profile,
    schedule: undefined,
    at: () => ({ hardfork, source, since: undefined }),
    follow: async () => {},
    refresh: async () => {},
  }
}

/** Those that the schedule of a known chain names for each block. */
function scheduledRules(schedule: Schedule, profile: ChainProfile, needs: Needs): ChainRules {
  const { origin } = needs
  requireRules(schedule.nameAt(origin.header))
  const newest = schedule.forks.at(-1)
  /** A fork that is not known here is told when it begins; until then the network goes on by the last one. */
  const rulesAt = (block: { number: bigint; timestamp: bigint }) => {
    const name = schedule.nameAt(block)
    return isHardforkKnown(name) || !newest ? requireRules(name) : newest.rules
  }
  let last = schedule.nameAt(origin.header)
  const at = (block: { number: bigint; timestamp: bigint }): RulesStatus => ({
    hardfork: schedule.nameAt(block),
    source: 'schedule',
    since: undefined,
  })
  return {
    hardforks: rulesAt,
    profile,
    schedule: schedule.forks,
    at,
    async follow({ number, timestamp }) {
      const name = schedule.nameAt({ number, timestamp })
      if (name === last) return
      last = name
      if (isHardforkKnown(name)) tell(needs, at({ number, timestamp }))
      else
        needs.logger.error(
          { hardfork: name, block: number },
          'The live chain went to a hardfork that is not known here: blocks go on by the rules of the last one',
        )
    },
    refresh: async () => {},
  }
}

function tell(needs: Needs, status: RulesStatus): void {
  needs.logger.warn(
    { hardfork: status.hardfork, source: status.source },
    'The rules of the live chain changed, and those of the network with them',
  )
  needs.onChange(status)
}

/** Those that the live chain shows by its header and its answers, found again when it may have changed them. */
async function foundRules(options: Options, known: ChainProfile | undefined, needs: Needs): Promise<ChainRules> {
  const { database, clock, logger, origin } = needs
  const thisYear = BigInt(Math.floor(Date.UTC(new Date(clock.now()).getUTCFullYear(), 0) / 1000))
  let found = (await loadSetting<FoundRules[] | null>(database.queries, rulesKey)) ?? []
  let shape = shapeOf(origin.raw)
  let askedAt: number | undefined
  let asking: Promise<void> | undefined

  async function ask(header: Header, isHead: boolean): Promise<FoundRules> {
    const { request } = needs
    const answers = request
      ? await withoutBudget(() => askRules(request, quantity(header.number), isHead))
      : { features: undefined, delegates: false, config: undefined }
    return findRules(answers, header, known, thisYear)
  }

  const save = async () => {
    if (needs.isStored()) await database.transaction((transaction) => saveSetting(transaction, rulesKey, found))
  }

  if (found.length === 0) {
    const first = await ask(origin.header, !options.isPinned)
    requireRules(first.hardfork)
    found = [first]
    if (first.source === 'header' && needs.request)
      logger.warn(
        { hardfork: first.hardfork, chain: String(options.chainId) },
        'Upstream did not show its rules; they were guessed by the header. Name them with --hardfork if they are others',
      )
    else logger.info({ hardfork: first.hardfork, source: first.source, stack: first.stack }, 'Found the rules')
    // Without upstream nothing was found yet, and is asked again.
    if (needs.request) await save()
    askedAt = clock.now()
  }
  const profile = known ?? unknownChain(options.chainId, found.at(-1)?.stack)
  let rules = found.map((each) => blockRulesOf(each, profile, options.l1Fee))

  /** The last that were found at a block of this time or before. */
  function indexAt(timestamp: bigint): number {
    const index = found.findLastIndex(({ since }) => BigInt(since) <= timestamp)
    return index < 0 ? 0 : index
  }

  const at = ({ timestamp }: { timestamp: bigint }): RulesStatus => {
    const { hardfork, source, since } = found[indexAt(timestamp)] as FoundRules
    return { hardfork, source, since: BigInt(since) }
  }

  async function check(head: UpstreamHead): Promise<void> {
    const before = found.at(-1) as FoundRules
    const next = await ask(head.header, true)
    askedAt = clock.now()
    // What upstream did not answer this time says nothing.
    if (next.source === 'header' && before.source !== 'header') return
    if (isSameRules(next, before)) {
      before.nextAt = next.nextAt
      return
    }
    if (!isHardforkKnown(next.hardfork)) {
      logger.error(
        { hardfork: next.hardfork, block: head.number },
        'The live chain went to a hardfork that is not known here: blocks go on by the rules of the last one',
      )
      return
    }
    found = [...found, next]
    rules = found.map((each) => blockRulesOf(each, profile, options.l1Fee))
    await save()
    tell(needs, at({ timestamp: head.timestamp }))
  }

  return {
    hardforks: ({ timestamp }) => rules[indexAt(timestamp)] as (typeof rules)[number],
    profile,
    schedule: undefined,
    at,
    async follow(head) {
      if (options.isPinned || !needs.request || !needs.isStored()) return
      const { nextAt } = found.at(-1) as FoundRules
      const nextShape = shapeOf(head.raw)
      const isDue = nextShape !== shape || (nextAt !== undefined && head.timestamp >= BigInt(nextAt))
      const isOld = askedAt === undefined ? head.hash !== needs.base.hash : clock.now() - askedAt >= recheckMs
      if (!isDue && !isOld) return
      shape = nextShape
      asking ??= check(head)
        .catch((error) => logger.warn({ err: error }, 'Could not ask upstream for its rules'))
        .finally(() => {
          asking = undefined
        })
      // No caller waits for a check that is only due by the clock.
      if (isDue) await asking
    },
    async refresh({ queries }) {
      found = (await loadSetting<FoundRules[] | null>(queries, rulesKey)) ?? found
      rules = found.map((each) => blockRulesOf(each, profile, options.l1Fee))
    },
  }
}

/** Which fields a header has: an upgrade often brings one. */
const shapeOf = (raw: Record<string, unknown>) =>
  Object.keys(raw)
    .filter((name) => raw[name] !== null && raw[name] !== undefined)
    .sort()
    .join()

const isKept = (header: Header) => header.difficulty !== 0n && forkOfHeader(header) !== 'london'

/** Asks upstream by what rules it runs a block: calls of one tick, which go out as one batch. What it does not answer stays open. */
async function askRules(request: Request, block: Hex, isHead: boolean): Promise<RulesAnswers> {
  const ask = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    try {
      return await request(method, params)
    } catch (error) {
      if (isAnsweredError(error)) return undefined
      throw error
    }
  }
  const [probed, delegated, config] = await Promise.all([
    ask('eth_call', probeCall(block)),
    ask('eth_call', delegationCall(block)),
    // It says nothing of older blocks.
    isHead ? ask('eth_config', []) : undefined,
  ])
  return { features: featuresFromAnswer(probed), delegates: delegates(delegated), config }
}
