import { type Fork, forks } from './port.ts'

/** What a fork changed, as data. A new fork is a row here, its operations in opcodes.ts, and their handlers. */
export type ForkRules = {
  fork: Fork
  /** Counts from 0; operations name the fork that brought them. */
  index: number
  /** At most one part in so many of the gas used is given back (EIP-3529). */
  refundQuotient: bigint
  /** Given back for clearing a slot, in gas. */
  clearRefund: number
  /** SELFDESTRUCT gives gas back, until EIP-3529. */
  selfdestructRefund: boolean
  /** There is a base fee, and transactions that bid over it (EIP-1559). */
  baseFee: boolean
  /** Blocks have no difficulty but the randomness of the beacon chain (EIP-3675, EIP-4399). */
  proofOfStake: boolean
  /** Blocks list withdrawals of validators (EIP-4895). */
  withdrawals: boolean
  /** Blocks count blob gas (EIP-4844), and name the parent's beacon root, which a contract stores (EIP-4788). */
  blobs: boolean
  /** Blocks have the hash of their requests (EIP-7685), and a contract stores the hashes of blocks (EIP-2935). */
  requests: boolean
  /** New code may not begin with 0xEF (EIP-3541). */
  rejectEf: boolean
  /** The coinbase begins warm (EIP-3651). */
  warmCoinbase: boolean
  /** Init code is limited and metered (EIP-3860). */
  meterInitcode: boolean
  /** SELFDESTRUCT destroys only what its transaction created (EIP-6780). */
  destroyOnlyNew: boolean
  /** The most blobs in one transaction; 0: there are none (EIP-4844, EIP-7691, EIP-7594). */
  maxBlobs: number
  /** Accounts may delegate to code (EIP-7702). */
  delegation: boolean
  /** Data has a price of its own that gas used cannot fall below (EIP-7623). */
  floorGas: boolean
  /** The most gas of one transaction (EIP-7825). */
  gasCap: bigint | undefined
  /** The highest of the precompiles that are numbered from 1. */
  lastPrecompile: number
  /** P256VERIFY is at 0x100 (EIP-7951). */
  p256: boolean
  /** MODEXP as EIP-7823 and EIP-7883 limit and price it. */
  limitedModexp: boolean
}

type Changes = Partial<Omit<ForkRules, 'fork' | 'index'>>

const berlin: Omit<ForkRules, 'fork' | 'index'> = {
  refundQuotient: 2n,
  clearRefund: 15000,
  selfdestructRefund: true,
  baseFee: false,
  proofOfStake: false,
  withdrawals: false,
  blobs: false,
  requests: false,
  rejectEf: false,
  warmCoinbase: false,
  meterInitcode: false,
  destroyOnlyNew: false,
  maxBlobs: 0,
  delegation: false,
  floorGas: false,
  gasCap: undefined,
  lastPrecompile: 0x09,
  p256: false,
  limitedModexp: false,
}

/** Each fork's changes against the one before. */
const changes: Record<Fork, Changes> = {
  berlin: {},
  london: { refundQuotient: 5n, clearRefund: 4800, selfdestructRefund: false, baseFee: true, rejectEf: true },
  paris: { proofOfStake: true },
  shanghai: { warmCoinbase: true, meterInitcode: true, withdrawals: true },
  cancun: { destroyOnlyNew: true, blobs: true, maxBlobs: 6, lastPrecompile: 0x0a },
  prague: { delegation: true, floorGas: true, requests: true, maxBlobs: 9, lastPrecompile: 0x11 },
  osaka: { gasCap: 1n << 24n, maxBlobs: 6, p256: true, limitedModexp: true },
}

const table = new Map<string, ForkRules>()
let previous = berlin
for (const [index, fork] of forks.entries()) {
  previous = { ...previous, ...changes[fork] }
  table.set(fork, { fork, index, ...previous })
}

/**
 * The rules of a fork.
 * @throws RangeError for a fork that the engine does not run: those before Berlin, and unknown names.
 */
export function requireRules(fork: string): ForkRules {
  const rules = table.get(fork)
  if (rules === undefined) {
    throw new RangeError(
      `The fork «${fork}» is not supported: the engine runs ${forks.join(', ')}, and no fork before Berlin.`,
    )
  }
  return rules
}
