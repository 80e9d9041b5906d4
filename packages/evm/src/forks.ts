import { type Fork, forks } from './port.ts'

/** The changes of each fork, as data. A new fork needs a row here, its operations in opcodes.ts, and their handlers. */
export type ForkRules = {
  fork: Fork
  /** Starts with 0; operations refer to the fork that introduced them. */
  index: number
  /** At most this fraction (1/n) of the gas used is refunded (EIP-3529). */
  refundQuotient: bigint
  /** Refund for clearing a slot, in gas. */
  clearRefund: number
  /** SELFDESTRUCT has a refund, until EIP-3529. */
  selfdestructRefund: boolean
  /** Blocks have a base fee (EIP-1559). */
  baseFee: boolean
  /** Blocks have the beacon chain's randomness instead of a difficulty (EIP-3675, EIP-4399). */
  proofOfStake: boolean
  /** Blocks list withdrawals of validators (EIP-4895). */
  withdrawals: boolean
  /** Blocks count blob gas (EIP-4844), and have the parent's beacon root, which a contract stores (EIP-4788). */
  blobs: boolean
  /** Blocks have the hash of their requests (EIP-7685), and a contract stores the hashes of blocks (EIP-2935). */
  requests: boolean
  /** New code may not start with 0xEF (EIP-3541). */
  rejectEf: boolean
  /** The coinbase is warm from the start (EIP-3651). */
  warmCoinbase: boolean
  /** Init code is limited and metered (EIP-3860). */
  meterInitcode: boolean
  /** SELFDESTRUCT destroys only what its transaction created (EIP-6780). */
  destroyOnlyNew: boolean
  /** Maximum number of blobs in one transaction; 0: not supported (EIP-4844, EIP-7691, EIP-7594). */
  maxBlobs: number
  /** Accounts may delegate to code (EIP-7702). */
  delegation: boolean
  /** Call data has a minimum price (EIP-7623). */
  floorGas: boolean
  /** Maximum gas of one transaction (EIP-7825). */
  gasCap: bigint | undefined
  /** The highest of the precompiles that are numbered from 1. */
  lastPrecompile: number
  /** P256VERIFY is at 0x100 (EIP-7951). */
  p256: boolean
  /** MODEXP with the limits and prices of EIP-7823 and EIP-7883. */
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

/** Each fork's changes relative to the previous one. */
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
 * @throws RangeError for unsupported forks: those before Berlin, and unknown names.
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
