import { Common, Holesky, Hoodi, Mainnet, Sepolia } from '@ethereumjs/common'
import {
  type Address,
  type BlockLimits,
  type Fork,
  forks,
  type Hex,
  type Prices,
  requireRules as requireForkRules,
} from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import type { ContractsOfChain } from './chains/contracts/contractsOf.ts'
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
  /** Headers have the fields of this later fork. */
  fields?: Fork
  /** Transactions pay for their data on the layer below, and the operator (OP Stack). */
  l1Fees?: boolean
  /** Its blocks may have deposits (OP Stack). */
  optimism?: boolean
  /** Its machine is Arbitrum's: NUMBER is that of L1. */
  arbitrum?: boolean
  /** Contracts that have no code; see chains/contracts. */
  contracts?: ContractsOfChain
  /** Where the chain has precompiles otherwise than the fork; 0: there is none. */
  precompiles?: ReadonlyMap<Address, number>
  /** Limits that are not those of the fork. */
  limits?: BlockLimits | undefined
  /** Prices that are not those of the fork. */
  prices?: Partial<Prices> | undefined
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
  /** Those that began at the block or before it, oldest first. */
  namesAt(block: { number: bigint; timestamp: bigint }): string[]
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
  const starts = startsOf(known, laterForks[Number(chainId)] ?? [])
  const namesAt = (block: { number: bigint; timestamp: bigint }): string[] => {
    // A fork begins after those before it, whatever the clock says: blocks of today may follow an old one.
    const next = starts.findIndex(({ hasBegun }) => !hasBegun(block))
    return starts.slice(0, next === -1 ? undefined : Math.max(next, 1)).map(({ name }) => sameRules[name] ?? name)
  }
  return {
    nameAt: (block) => namesAt(block).at(-1) as string,
    namesAt,
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
 * Whether a header has the fields that headers of a fork have, and no others. Chains other than Ethereum's leave fields out:
 * theirs is not complete, and fits as long as it has none of a later fork.
 */
export function fitsHeader(header: Header, fork: Fork, isComplete: boolean): boolean {
  const shown = forks.indexOf(forkOfHeader(header))
  const own = forks.slice(0, forks.indexOf(fork) + 1).findLastIndex(hasOwnField)
  return isComplete ? shown === Math.max(own, 0) : shown <= Math.max(own, 0)
}

const headerFields = ['baseFee', 'proofOfStake', 'withdrawals', 'blobs', 'requests', 'accessLists'] as const

/** The fork that introduced a field of headers. */
const firstWith = (field: (typeof headerFields)[number]) => forks.find((fork) => requireForkRules(fork)[field])
const hasOwnField = (fork: Fork) => headerFields.some((field) => firstWith(field) === fork)

/**
 * The newest fork that introduced a field of the header. A fork without new fields cannot be distinguished from the
 * previous one.
 */
export function forkOfHeader(header: Header): Fork {
  const has: Record<(typeof headerFields)[number], boolean> = {
    baseFee: header.baseFeePerGas !== undefined,
    proofOfStake: header.baseFeePerGas !== undefined && header.difficulty === 0n,
    withdrawals: header.withdrawalsRoot !== undefined,
    blobs: header.parentBeaconBlockRoot !== undefined,
    requests: header.requestsHash !== undefined,
    accessLists: header.blockAccessListHash !== undefined,
  }
  return forks.findLast((fork) => headerFields.some((field) => has[field] && firstWith(field) === fork)) ?? forks[0]
}
