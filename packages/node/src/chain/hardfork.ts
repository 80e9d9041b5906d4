import { Common, Holesky, Hoodi, Mainnet, Sepolia } from '@ethereumjs/common'
import { type Fork, forks, type Hex } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import type { Header } from './block.ts'

/** How many blobs a block holds, and how fast their price moves. */
export type BlobSchedule = {
  target: bigint
  max: bigint
  updateFraction: bigint
  /** EIP-7918: the blob price does not fall far below the price of execution. */
  reserve: boolean
}

/** The rules of a block. */
export type Rules = { fork: Fork; blobs: BlobSchedule | undefined }

const cancunBlobs: BlobSchedule = { target: 3n, max: 6n, updateFraction: 3_338_477n, reserve: false }
const pragueBlobs: BlobSchedule = { target: 6n, max: 9n, updateFraction: 5_007_716n, reserve: false }

/** The rules by the name of the fork; those of blobs change between forks too (EIP-7892). */
const rulesByName: Record<string, Rules> = {
  ...Object.fromEntries(forks.map((fork) => [fork, { fork, blobs: undefined }])),
  cancun: { fork: 'cancun', blobs: cancunBlobs },
  prague: { fork: 'prague', blobs: pragueBlobs },
  osaka: { fork: 'osaka', blobs: { ...pragueBlobs, reserve: true } },
  bpo1: { fork: 'osaka', blobs: { target: 10n, max: 15n, updateFraction: 8_346_193n, reserve: true } },
  bpo2: { fork: 'osaka', blobs: { target: 14n, max: 21n, updateFraction: 11_684_671n, reserve: true } },
}
/** Forks that changed nothing in execution, by the one whose rules they have. */
const sameRules: Record<string, string> = {
  muirGlacier: 'berlin',
  arrowGlacier: 'london',
  grayGlacier: 'london',
  mergeNetsplitBlock: 'paris',
}

/** What `--hardfork` takes. */
export const hardforkNames = Object.keys(rulesByName)

/** Tells the rules of a block. */
export type Hardforks = (block: { number: bigint; timestamp: bigint }) => Rules

/**
 * The forks of a chain: `name` when it is given; the schedule of a known chain; otherwise what the header of the block at
 * which the network left upstream shows.
 */
export function createHardforks(chainId: bigint, name: string | undefined, origin: Header): Hardforks {
  if (name !== undefined) {
    const rules = requireRules(name)
    return () => rules
  }
  const known = knownChain(chainId)
  if (!known || !isOnSchedule(known, origin)) {
    const rules = requireRules(forkOfHeader(origin))
    return () => rules
  }
  return ({ number, timestamp }) => {
    const fork = known.getHardforkBy({ blockNumber: number, timestamp })
    return requireRules(sameRules[fork] ?? fork)
  }
}

/** A fork that begins at a time, in seconds, with its EIP-6122 hash. */
export type ScheduledFork = { activationTime: bigint; rules: Rules; forkId: Hex }

/** The forks of a known chain that begin at a time, oldest first; `undefined` where one is in force for good. */
export function forkSchedule(chainId: bigint, name: string | undefined, origin: Header): ScheduledFork[] | undefined {
  const known = name === undefined ? knownChain(chainId) : undefined
  if (!known || !isOnSchedule(known, origin)) return undefined
  return known.hardforks().flatMap(({ name, timestamp }) => {
    if (timestamp === undefined || rulesByName[name] === undefined) return []
    const forkId = known.forkHash(name) as Hex
    return { activationTime: BigInt(timestamp), rules: requireRules(name), forkId }
  })
}

/** A chain for tests may bear the id of a known one, and be at its first blocks today. */
function isOnSchedule(known: Common, { number, timestamp }: Header): boolean {
  try {
    known.getHardforkBy({ blockNumber: number, timestamp })
    return true
  } catch {
    return false
  }
}

function requireRules(name: string): Rules {
  const rules = rulesByName[name]
  if (!rules)
    throw new NetworkError('UNSUPPORTED', { what: `the hardfork ${name}; supported are ${hardforkNames.join(', ')}` })
  return rules
}

function knownChain(chainId: bigint): Common | undefined {
  const chain = [Mainnet, Sepolia, Holesky, Hoodi].find((candidate) => candidate.chainId === Number(chainId))
  return chain && new Common({ chain })
}

/** The newest fork whose header fields are there. Osaka added none: it is not told from Prague. */
function forkOfHeader(header: Header): Fork {
  if (header.requestsHash !== undefined) return 'prague'
  if (header.parentBeaconBlockRoot !== undefined) return 'cancun'
  if (header.withdrawalsRoot !== undefined) return 'shanghai'
  if (header.difficulty === 0n && header.baseFeePerGas !== undefined) return 'paris'
  return header.baseFeePerGas === undefined ? 'berlin' : 'london'
}
