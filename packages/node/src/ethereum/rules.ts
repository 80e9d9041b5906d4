import { Common, Holesky, Hoodi, Mainnet, Sepolia } from '@ethereumjs/common'
import {
  type Address,
  type BlockLimits,
  type Fork,
  forks,
  type Hex,
  requireRules as requireForkRules,
} from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import type { BlobSchedule, FeeModel } from './fees.ts'
import type { Header } from './header.ts'

/** The rules of a block: those of execution, and those of blobs, which also change between forks (EIP-7892). */
export type BlockRules = {
  fork: Fork
  blobs: BlobSchedule | undefined
  /** How its base fee follows from its parent; `undefined` for Ethereum's rule. */
  fees?: FeeModel
  /** Headers have a difficulty, which PREVRANDAO returns, regardless of the fork. */
  keepsDifficulty?: boolean
  /** Transactions pay for their data on the layer below, and the operator (OP Stack). */
  l1Fees?: boolean
  /** Its blocks may have deposits (OP Stack). */
  optimism?: boolean
  /** Its machine is Arbitrum's: NUMBER is that of L1, and the chain has contracts of its own. */
  arbitrum?: boolean
  /** Where the chain has precompiles otherwise than the fork; 0: there is none. */
  precompiles?: ReadonlyMap<Address, number>
  /** Limits that are not those of the fork. */
  limits?: BlockLimits | undefined
}

/** Blob schedules of the forks that introduced them (EIP-4844, EIP-7691), and the reserve price (EIP-7918). */
const blobsOfFork: Partial<Record<Fork, Partial<BlobSchedule>>> = {
  cancun: { target: 3n, max: 6n, updateFraction: 3_338_477n, reserve: false },
  prague: { target: 6n, max: 9n, updateFraction: 5_007_716n },
  osaka: { reserve: true },
  // Those of BPO2.
  amsterdam: { target: 14n, max: 21n, updateFraction: 11_684_671n },
}

/** Hardforks that change only the blob schedule, oldest first. */
const blobOnlyForks = ['bpo1', 'bpo2'] as const

/** Rules by hardfork name: every fork that the engine supports, and the blob-only forks. */
const rulesByName = new Map<string, BlockRules>()
let blobs: BlobSchedule | undefined
for (const fork of forks) {
  const change = blobsOfFork[fork]
  if (change) blobs = { ...blobs, ...change } as BlobSchedule
  rulesByName.set(fork, { fork, blobs })
}
for (const name of blobOnlyForks) {
  const ethereum = new Common({ chain: Mainnet, hardfork: name })
  const [target, max] = [ethereum.param('target'), ethereum.param('max')]
  const updateFraction = ethereum.param('blobGasPriceUpdateFraction')
  rulesByName.set(name, {
    fork: 'osaka',
    blobs: { target: BigInt(target), max: BigInt(max), updateFraction: BigInt(updateFraction), reserve: true },
  })
}

/** Forks without changes in execution, by the fork whose rules they have. */
const sameRules: Record<string, string> = {
  muirGlacier: 'berlin',
  arrowGlacier: 'london',
  grayGlacier: 'london',
  mergeNetsplitBlock: 'paris',
}

/** The values of `--hardfork`. */
export const hardforkNames = [...rulesByName.keys()]

/** What Ethereum's mainnet runs: the rules of a network that forks nothing. */
export const newestStableFork: Fork = 'osaka'

/** Returns the rules of a block. */
export type Hardforks = (block: { number: bigint; timestamp: bigint }) => BlockRules

/** A fork with an activation time, in seconds, and its EIP-6122 hash. */
export type ScheduledFork = { activationTime: bigint; rules: BlockRules; forkId: Hex }

/** When the forks of a known chain begin. */
export type Schedule = {
  /** The fork of a block, by its name; also of one that is not known here. */
  nameAt(block: { number: bigint; timestamp: bigint }): string
  /** Those that begin at a time, oldest first, as far as they are known here. */
  forks: ScheduledFork[]
}

/** Forks that the library has without their time, by chain: https://github.com/ethereum/pm and the clients' releases. */
const laterForks: Record<number, readonly { name: string; activationTime: bigint }[]> = {
  11155111: [{ name: 'amsterdam', activationTime: 1_791_294_816n }],
}

/** The schedule of a known chain; `undefined` where there is none, or where the block is not one of that chain. */
export function scheduleOf(chainId: bigint, origin: Header): Schedule | undefined {
  const known = knownChain(chainId)
  if (!known || !isOnSchedule(known, origin)) return undefined
  const begun = startsOf(known, laterForks[Number(chainId)] ?? [])
  return {
    nameAt(block) {
      // A fork begins after those before it, whatever the clock says: blocks of today may follow an old one.
      const next = begun.findIndex(({ hasBegun }) => !hasBegun(block))
      const { name } = begun.at(next === -1 ? -1 : Math.max(next - 1, 0)) as (typeof begun)[number]
      return sameRules[name] ?? name
    },
    forks: known.hardforks().flatMap(({ name, timestamp }) => {
      if (timestamp === undefined || !rulesByName.has(name)) return []
      const forkId = known.forkHash(name) as Hex
      return { activationTime: BigInt(timestamp), rules: requireRules(name), forkId }
    }),
  }
}

type Start = { name: string; hasBegun(block: { number: bigint; timestamp: bigint }): boolean }

/** When the forks of a chain begin, oldest first: by the number of a block, or since the merge by its time. */
function startsOf(known: Common, later: readonly { name: string; activationTime: bigint }[]): Start[] {
  const starts = known.hardforks().flatMap(({ name, block, timestamp: time }): Start[] => {
    if (typeof block === 'number') return [{ name, hasBegun: ({ number }) => number >= BigInt(block) }]
    if (time === undefined) return []
    return [{ name, hasBegun: ({ timestamp }) => timestamp >= BigInt(time) }]
  })
  return [
    ...starts,
    ...later.map(({ name, activationTime }) => ({
      name,
      hasBegun: ({ timestamp }: { timestamp: bigint }) => timestamp >= activationTime,
    })),
  ]
}

/** A test chain may have the id of a known chain, and be at its first blocks today. */
function isOnSchedule(known: Common, { number, timestamp }: Header): boolean {
  try {
    known.getHardforkBy({ blockNumber: number, timestamp })
    return true
  } catch {
    return false
  }
}

export const isHardforkKnown = (name: string): boolean => rulesByName.has(name)

/** The rules of a hardfork of Ethereum. Throws `HARDFORK_UNKNOWN`. */
export function requireRules(name: string): BlockRules {
  const rules = rulesByName.get(name)
  if (!rules) throw new NetworkError('HARDFORK_UNKNOWN', { name, known: hardforkNames.join(', ') })
  return rules
}

function knownChain(chainId: bigint): Common | undefined {
  const chain = [Mainnet, Sepolia, Holesky, Hoodi].find((candidate) => candidate.chainId === Number(chainId))
  return chain && new Common({ chain })
}

/**
 * The newest fork that introduced a field of the header. A fork without new fields cannot be distinguished from the
 * previous one.
 */
export function forkOfHeader(header: Header): Fork {
  const has = {
    baseFee: header.baseFeePerGas !== undefined,
    proofOfStake: header.baseFeePerGas !== undefined && header.difficulty === 0n,
    withdrawals: header.withdrawalsRoot !== undefined,
    blobs: header.parentBeaconBlockRoot !== undefined,
    requests: header.requestsHash !== undefined,
    accessLists: header.blockAccessListHash !== undefined,
  }
  const fields = Object.keys(has) as (keyof typeof has)[]
  const firstWith = (field: keyof typeof has) => forks.find((fork) => requireForkRules(fork)[field])
  return forks.findLast((fork) => fields.some((field) => has[field] && firstWith(field) === fork)) ?? forks[0]
}
