import { type Address, type Fork, forks, requireRules as requireForkRules } from '@understudy/evm'
import { addressFromNumber } from '../../shared/hex.ts'
import type { BlobSchedule } from '../fees.ts'
import type { Header } from '../header.ts'
import { type BlockRules, fitsHeader, forkOfHeader, hardforkNames, isHardforkKnown, requireRules } from '../rules.ts'
import { contractsOfProfile } from './contracts/contractsOf.ts'
import type { ChainPrices } from './prices/chainPrices.ts'
import type { Readings } from './prices/readings.ts'
import { type Features, forkOfFeatures } from './probe.ts'
import type { ChainProfile, Stack } from './profile.ts'

/**
 * How rules were found: the option `--hardfork` or a profile names them; calls of code that only they run; what upstream says
 * of itself (EIP-7910); the dates of a known chain; or only what the header shows, and the year. By default, a network that
 * forks nothing runs what Ethereum runs.
 */
export type RulesSource = 'option' | 'profile' | 'schedule' | 'probe' | 'eth_config' | 'header' | 'default'

/** Another source than that of the rules in force, and the hardfork that it names. */
export type Disagreement = { source: 'header' | 'eth_config' | 'schedule'; hardfork: string }

/** What was found out of a chain, as it is stored. */
export type FoundRules = {
  /** The time of the first block for which it is known to hold, in seconds. */
  since: string
  /** The last block of the network that ran by other rules, although it is not older: its clock may be ahead of the chain's. */
  after?: { number: string; timestamp: string } | undefined
  hardfork: string
  source: RulesSource
  stack: Stack
  /** Where precompiles are otherwise than in the fork; 0: none is there. */
  precompiles: [Address, number][]
  blobs: { target: string; max: string; updateFraction: string } | undefined
  keepsDifficulty: boolean
  /** The later fork whose fields the chain's headers have; `undefined` where they are those of the rules. */
  fields?: Fork | undefined
  /** The fork that upstream's own list of precompiles shows, where it is not that of the rules. */
  configured?: Fork | undefined
  /** What another source named for more than one head. */
  disagreement?: Disagreement | undefined
  /** When upstream says that its rules change next, in seconds. */
  nextAt: string | undefined
  /** Prices; `undefined` before they were looked at. */
  prices?: ChainPrices | undefined
}

/** More than the upgrades of a chain in decades. */
const findingLimit = 64

/**
 * What was found, the oldest first, within a limit: an upstream that shows other rules with each head would add one for each. Those
 * that held for the shortest time go first; their blocks then count as those before them.
 */
export function boundedFindings(found: readonly FoundRules[], limit = findingLimit): FoundRules[] {
  const kept = [...found]
  while (kept.length > limit) {
    const times = kept.map(({ since }) => BigInt(since))
    let shortest = 1
    const heldFor = (index: number) => (times[index + 1] as bigint) - (times[index] as bigint)
    for (let index = 2; index < kept.length - 1; index++) if (heldFor(index) < heldFor(shortest)) shortest = index
    kept.splice(shortest, 1)
  }
  return kept
}

/** What upstream answered, as far as it did. */
export type RulesAnswers = {
  features: Features | undefined
  delegates: boolean
  config: unknown
  /** What the measures of prices took; `undefined` where they were not asked for. */
  readings?: Readings | undefined
}

type Config = {
  precompiles: Record<string, string>
  blobs: FoundRules['blobs']
  nextAt: string | undefined
}

/** What is known of a chain beside its answers. */
export type Known = {
  profile: ChainProfile | undefined
  /** The first second of this year: a block since then is at least of Cancun, whatever its header leaves out. */
  thisYear: bigint
  /** The hardforks that began at the block or before it, oldest first, on a chain with dates. */
  dated: readonly string[] | undefined
}

const blsNumbers = [0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11]

/** Rules that are named, whatever the chain shows. */
export function namedRules(hardfork: string, source: RulesSource, header: Header, stack: Stack): FoundRules {
  const isKept = header.difficulty !== 0n && forkOfHeader(header) !== 'london'
  return {
    since: String(header.timestamp),
    hardfork,
    source,
    stack,
    precompiles: [],
    blobs: undefined,
    keepsDifficulty: stack === 'arbitrum' || isKept,
    nextAt: undefined,
  }
}

/** The rules that a chain shows: by the probe, or else by its header with what upstream says of itself, and with dates. */
export function findRules(answers: RulesAnswers, header: Header, known: Known): FoundRules {
  const { features } = answers
  const config = configFrom(answers.config)
  const stack = known.profile?.stack ?? (features?.optimism ? 'optimism' : features?.arbitrum ? 'arbitrum' : 'ethereum')
  const [fork, source] = features
    ? ([forkOfFeatures(features, answers.delegates, header), 'probe'] as const)
    : forkWithoutProbe(config, header, known)
  const blobs = source === 'probe' || source === 'eth_config' ? config?.blobs : undefined
  const dated = known.dated?.at(-1)
  const hardfork = source === 'schedule' || dated === undefined ? fork : nameOf(fork as Fork, dated, blobs)
  const isKnown = isHardforkKnown(hardfork)
  const precompiles = features && isKnown ? movedPrecompiles(features, fork as Fork) : []
  return {
    since: String(header.timestamp),
    hardfork,
    source,
    stack,
    precompiles,
    blobs: dated !== undefined && isKnown && hasBlobs(hardfork, blobs) ? undefined : blobs,
    keepsDifficulty: header.difficulty !== 0n,
    fields: isKnown && !fitsHeader(header, requireRules(hardfork).fork, false) ? forkOfHeader(header) : undefined,
    configured: config && features && precompiles.length === 0 ? configuredFork(config, fork as Fork) : undefined,
    nextAt: config?.nextAt,
  }
}

/** What a header shows comes before what upstream says of itself, and that before dates. */
function forkWithoutProbe(
  config: Config | undefined,
  header: Header,
  { thisYear, dated }: Known,
): [string, 'eth_config' | 'schedule' | 'header'] {
  const fits = (name: string) =>
    isHardforkKnown(name) && fitsHeader(header, requireRules(name).fork, dated !== undefined)
  const configured = config && forkOfConfig(config, header)
  if (configured && fits(configured)) return [configured, 'eth_config']
  const newest = dated?.at(-1)
  if (newest === undefined) return [forkByHeader(header, thisYear), 'header']
  if (!isHardforkKnown(newest) || fits(newest)) return [newest, 'schedule']
  const fitting = dated?.findLast(fits)
  return [fitting === undefined ? forkOfHeader(header) : fitting, 'header']
}

type Blobs = FoundRules['blobs']

/** Several hardforks execute by one fork, and differ in blobs: those that upstream names, or else the date, tell which it is. */
function nameOf(fork: Fork, dated: string, blobs: Blobs): string {
  // Before the oldest fork that is known here, a chain shows no less than that.
  if (!isHardforkKnown(dated)) return fork === forks[0] ? dated : fork
  const isOfFork = (name: string) => requireRules(name).fork === fork
  const shown = blobs && hardforkNames.find((name) => isOfFork(name) && hasBlobs(name, blobs))
  return shown ?? (!blobs && isOfFork(dated) ? dated : fork)
}

function hasBlobs(hardfork: string, blobs: Blobs): boolean {
  const { blobs: own } = requireRules(hardfork)
  const isSame = (name: keyof NonNullable<Blobs>) => own && blobs && String(own[name]) === blobs[name]
  return Boolean(isSame('target') && isSame('max') && isSame('updateFraction'))
}

/** The fork by upstream's list of precompiles, if another list belongs to `fork`. */
function configuredFork(config: Config, fork: Fork): Fork | undefined {
  const shown = forkOfPrecompiles(config)
  const { lastPrecompile, p256 } = requireForkRules(fork)
  const own = p256 ? 'osaka' : lastPrecompile >= 0x0b ? 'prague' : lastPrecompile >= 0x0a ? 'cancun' : 'shanghai'
  return shown === own ? undefined : shown
}

/** Which other source names another hardfork than the rules that were found; `dated` is what dates name at the header. */
export function disagreementOf(found: FoundRules, header: Header, dated: string | undefined): Disagreement | undefined {
  const { hardfork, configured } = found
  const { fork } = requireRules(hardfork)
  if (!fitsHeader(header, fork, dated !== undefined)) return { source: 'header', hardfork: forkOfHeader(header) }
  if (configured !== undefined) return { source: 'eth_config', hardfork: configured }
  return dated === undefined || dated === hardfork ? undefined : { source: 'schedule', hardfork: dated }
}

const strengths: Record<RulesSource, number> = {
  option: 3,
  profile: 3,
  probe: 2,
  eth_config: 1,
  schedule: 0,
  header: 0,
  default: 0,
}

/** Whether what was found is worth at least as much as what was found before. */
export const isAsStrong = (next: FoundRules, before: FoundRules): boolean =>
  strengths[next.source] >= strengths[before.source]

/** Whether two findings are the same rules. */
export function isSameRules(a: FoundRules, b: FoundRules): boolean {
  const rulesOf = ({ hardfork, stack, precompiles, blobs, fields, prices }: FoundRules) =>
    JSON.stringify([hardfork, stack, precompiles, blobs, fields, prices?.values ?? {}])
  return rulesOf(a) === rulesOf(b)
}

/** The rules of blocks, of what was found. */
export function blockRulesOf(found: FoundRules, profile: ChainProfile, l1Fee: boolean): BlockRules {
  const rules = requireRules(found.hardfork)
  return {
    ...rules,
    blobs: rules.blobs && blobsOf(found, rules.blobs),
    fees: profile.fees,
    keepsDifficulty: found.keepsDifficulty,
    ...(found.fields && { fields: found.fields }),
    l1Fees: l1Fee && found.stack === 'optimism',
    optimism: found.stack === 'optimism',
    arbitrum: found.stack === 'arbitrum',
    contracts: contractsOfProfile(profile, found.stack),
    ...(found.precompiles.length > 0 && { precompiles: new Map(found.precompiles) }),
    ...(found.prices && Object.keys(found.prices.values).length > 0 && { prices: found.prices.values }),
  }
}

function blobsOf({ stack, blobs }: FoundRules, scheduled: BlobSchedule): BlobSchedule {
  // A rollup has no blobs, and their price stays at its least; since Jovian `blobGasUsed` is something else there.
  if (stack === 'optimism') return { ...scheduled, target: 2n ** 64n }
  if (!blobs) return scheduled
  const { target, max, updateFraction } = blobs
  return { ...scheduled, target: BigInt(target), max: BigInt(max), updateFraction: BigInt(updateFraction) }
}

/** Never older than Cancun for a block of this year: chains leave fields out of their headers, and few of their forks behind. */
function forkByHeader(header: Header, thisYear: bigint): Fork {
  const shown = forkOfHeader(header)
  return header.timestamp >= thisYear && forks.indexOf(shown) < forks.indexOf('cancun') ? 'cancun' : shown
}

function movedPrecompiles(has: Features, fork: Fork): [Address, number][] {
  const { lastPrecompile, p256 } = requireForkRules(fork)
  const moved: [Address, number][] = []
  if (lastPrecompile >= 0x0a && !has.kzg) moved.push([addressFromNumber(0x0a), 0])
  const hasBls = lastPrecompile >= 0x0b
  if (hasBls !== has.bls) for (const number of blsNumbers) moved.push([addressFromNumber(number), has.bls ? number : 0])
  // RIP-7212 has it for half the gas of EIP-7951.
  const p256Number = has.p256Gas === 0 ? 0 : has.p256Gas < 5_000 ? 0x101 : 0x100
  if (p256Number !== (p256 ? 0x100 : 0)) moved.push([addressFromNumber(0x100), p256Number])
  return moved
}

function configFrom(answer: unknown): Config | undefined {
  const { current, next } = (answer ?? {}) as { current?: Record<string, unknown>; next?: Record<string, unknown> }
  if (typeof current?.precompiles !== 'object' || current.precompiles === null) return undefined
  const blobs = current.blobSchedule as Record<'baseFeeUpdateFraction' | 'max' | 'target', number> | null | undefined
  const isWhole = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0
  const hasBlobs = blobs && [blobs.baseFeeUpdateFraction, blobs.max, blobs.target].every(isWhole)
  return {
    precompiles: current.precompiles as Record<string, string>,
    blobs: hasBlobs
      ? { target: String(blobs.target), max: String(blobs.max), updateFraction: String(blobs.baseFeeUpdateFraction) }
      : undefined,
    nextAt: isWhole(next?.activationTime) ? String(next?.activationTime) : undefined,
  }
}

function forkOfConfig(config: Config, header: Header): Fork {
  // Amsterdam has no precompile of its own.
  return header.blockAccessListHash === undefined ? forkOfPrecompiles(config) : 'amsterdam'
}

function forkOfPrecompiles({ precompiles }: Config): Fork {
  if ('P256VERIFY' in precompiles) return 'osaka'
  if ('BLS12_G1ADD' in precompiles) return 'prague'
  return 'KZG_POINT_EVALUATION' in precompiles ? 'cancun' : 'shanghai'
}
