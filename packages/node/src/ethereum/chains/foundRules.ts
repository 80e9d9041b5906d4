import { type Address, type Fork, forks, requireRules as requireForkRules } from '@understudy/evm'
import { addressFromNumber } from '../../shared/hex.ts'
import type { BlobSchedule } from '../fees.ts'
import type { Header } from '../header.ts'
import { type BlockRules, forkOfHeader, requireRules } from '../rules.ts'
import { type Features, forkOfFeatures } from './probe.ts'
import type { ChainProfile, Stack } from './profile.ts'

/**
 * How rules were found: the option `--hardfork` or a profile names them; the schedule of a known chain; calls of code that
 * only they run; what upstream says of itself (EIP-7910); or only what the header shows, and the year. By default, a network
 * that forks nothing runs what Ethereum runs.
 */
export type RulesSource = 'option' | 'profile' | 'schedule' | 'probe' | 'eth_config' | 'header' | 'default'

/** What was found out of a chain, as it is stored. */
export type FoundRules = {
  /** The time of the first block for which it is known to hold, in seconds. */
  since: string
  hardfork: string
  source: RulesSource
  stack: Stack
  /** Where precompiles are otherwise than in the fork; 0: none is there. */
  precompiles: [Address, number][]
  blobs: { target: string; max: string; updateFraction: string } | undefined
  keepsDifficulty: boolean
  /** When upstream says that its rules change next, in seconds. */
  nextAt: string | undefined
}

/** What upstream answered, as far as it did. */
export type RulesAnswers = { features: Features | undefined; delegates: boolean; config: unknown }

type Config = {
  precompiles: Record<string, string>
  blobSchedule: { baseFeeUpdateFraction: number; max: number; target: number } | undefined
  nextAt: string | undefined
}

const blsNumbers = [0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11]

/** A block of `thisYear` (its first second) is at least of Cancun, whatever its header leaves out. */
export function findRules(
  answers: RulesAnswers,
  header: Header,
  profile: ChainProfile | undefined,
  thisYear: bigint,
): FoundRules {
  const { features } = answers
  const config = configFrom(answers.config)
  const stack = profile?.stack ?? (features?.optimism ? 'optimism' : features?.arbitrum ? 'arbitrum' : 'ethereum')
  const [hardfork, source] = features
    ? ([forkOfFeatures(features, answers.delegates, header), 'probe'] as const)
    : config
      ? ([forkOfConfig(config, header), 'eth_config'] as const)
      : ([forkByHeader(header, thisYear), 'header'] as const)
  const isKnown = (forks as readonly string[]).includes(hardfork)
  const schedule = config?.blobSchedule
  return {
    since: String(header.timestamp),
    hardfork,
    source,
    stack,
    precompiles: features && isKnown ? movedPrecompiles(features, hardfork as Fork) : [],
    blobs: schedule && {
      target: String(schedule.target),
      max: String(schedule.max),
      updateFraction: String(schedule.baseFeeUpdateFraction),
    },
    keepsDifficulty: header.difficulty !== 0n,
    nextAt: config?.nextAt,
  }
}

/** Whether two findings are the same rules. */
export function isSameRules(a: FoundRules, b: FoundRules): boolean {
  const rulesOf = ({ hardfork, stack, precompiles, blobs }: FoundRules) =>
    JSON.stringify([hardfork, stack, precompiles, blobs])
  return rulesOf(a) === rulesOf(b)
}

/** The rules of blocks, of what was found. */
export function blockRulesOf(found: FoundRules, { fees }: ChainProfile, l1Fee: boolean): BlockRules {
  const rules = requireRules(found.hardfork)
  return {
    ...rules,
    blobs: rules.blobs && blobsOf(found, rules.blobs),
    fees,
    keepsDifficulty: found.keepsDifficulty,
    l1Fees: l1Fee && found.stack === 'optimism',
    optimism: found.stack === 'optimism',
    arbitrum: found.stack === 'arbitrum',
    ...(found.precompiles.length > 0 && { precompiles: new Map(found.precompiles) }),
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
  const blobs = current.blobSchedule as Config['blobSchedule'] | null | undefined
  const isWhole = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0
  const hasBlobs = blobs && [blobs.baseFeeUpdateFraction, blobs.max, blobs.target].every(isWhole)
  return {
    precompiles: current.precompiles as Record<string, string>,
    blobSchedule: hasBlobs ? blobs : undefined,
    nextAt: isWhole(next?.activationTime) ? String(next?.activationTime) : undefined,
  }
}

function forkOfConfig({ precompiles }: Config, header: Header): Fork {
  // Amsterdam has no precompile of its own.
  if (header.blockAccessListHash !== undefined) return 'amsterdam'
  if ('P256VERIFY' in precompiles) return 'osaka'
  if ('BLS12_G1ADD' in precompiles) return 'prague'
  return 'KZG_POINT_EVALUATION' in precompiles ? 'cancun' : 'shanghai'
}
