import { pricesOf } from './gas/forkPrices.ts'
import type { Prices } from './gas/prices.ts'
import { type BlockContext, type Fork, forks } from './port.ts'

/** The changes of each fork, as data. A new fork needs a row here, its operations in opcodes.ts, and their handlers. */
export type ForkRules = {
  fork: Fork
  /** Starts with 0; operations refer to the fork that introduced them. */
  index: number
  /** At most this fraction (1/n) of the gas used is refunded (EIP-3529). */
  refundQuotient: bigint
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
  /** Init code is limited (EIP-3860). */
  limitInitcode: boolean
  /** SELFDESTRUCT destroys only what its transaction created (EIP-6780). */
  destroyOnlyNew: boolean
  /** Maximum number of blobs in one transaction; 0: not supported (EIP-4844, EIP-7691, EIP-7594). */
  maxBlobs: number
  /** Accounts may delegate to code (EIP-7702). */
  delegation: boolean
  /** Maximum gas limit of one transaction (EIP-7825, EIP-8037). */
  gasLimitCap: bigint | undefined
  /** Maximum regular gas of one transaction; what its gas limit has beyond is for state. */
  gasCap: bigint | undefined
  /** The highest of the precompiles that are numbered from 1. */
  lastPrecompile: number
  /** P256VERIFY is at 0x100 (EIP-7951). */
  p256: boolean
  /** MODEXP with the limits and prices of EIP-7823 and EIP-7883. */
  limitedModexp: boolean
  /** An account with storage cannot be created (EIP-7610). */
  storageCollides: boolean
  /** Transfers of ether leave a log (EIP-7708). */
  transferLogs: boolean
  /**
   * Gas for state is a dimension of its own, beside regular gas, which alone has the cap (EIP-8037). Authorizations pay for what
   * they write.
   */
  stateGas: boolean
  /** SELFDESTRUCT burns nothing (EIP-8246). */
  keepsBalance: boolean
  /** Blocks have the number of their slot (EIP-7843), and the hash of their access list (EIP-7928). */
  accessLists: boolean
  /** Maximum length of code; init code may be twice as long (EIP-170, EIP-7954). */
  maxCodeSize: number
  /** A zero byte counts as many tokens as another one for the floor (EIP-7976), and the access list counts too (EIP-7981). */
  everyByteCounts: boolean
  prices: Prices
}

type Changes = Omit<ForkRules, 'fork' | 'index' | 'prices'>

const berlin: Changes = {
  refundQuotient: 2n,
  baseFee: false,
  proofOfStake: false,
  withdrawals: false,
  blobs: false,
  requests: false,
  rejectEf: false,
  warmCoinbase: false,
  limitInitcode: false,
  destroyOnlyNew: false,
  maxBlobs: 0,
  delegation: false,
  gasLimitCap: undefined,
  gasCap: undefined,
  lastPrecompile: 0x09,
  p256: false,
  limitedModexp: false,
  storageCollides: true,
  transferLogs: false,
  stateGas: false,
  keepsBalance: false,
  accessLists: false,
  maxCodeSize: 24576,
  everyByteCounts: false,
}

/**
 * Amsterdam as Sepolia runs it (execution-specs tests@v21.0.1 of 2026-10-08): EIP-7708 of 2026-07-10, EIP-7778 of 2026-07-10,
 * EIP-7843 of 2026-08-05, EIP-7928 of 2026-07-09, EIP-7954 of 2026-07-08, EIP-7997 of 2026-07-17, EIP-8024 of 2026-06-10, EIP-8246
 * of 2026-05-22, EIP-8282 of 2026-08-10. Its prices are in gas/forkPrices.ts. @ethereumjs/vm 10.1.3 has EIP-8037 of 2026-07-31,
 * without the repayment of EIPs#12265 and the cap of gas limits of EIPs#12311.
 */
const amsterdam: Partial<Changes> = {
  storageCollides: false,
  transferLogs: true,
  stateGas: true,
  gasLimitCap: (1n << 32n) - 1n,
  keepsBalance: true,
  accessLists: true,
  maxCodeSize: 65536,
  everyByteCounts: true,
}

/** Each fork's changes relative to the previous one. */
const changes: Record<Fork, Partial<Changes>> = {
  berlin: {},
  london: { refundQuotient: 5n, baseFee: true, rejectEf: true },
  paris: { proofOfStake: true },
  shanghai: { warmCoinbase: true, limitInitcode: true, withdrawals: true },
  cancun: { destroyOnlyNew: true, blobs: true, maxBlobs: 6, lastPrecompile: 0x0a },
  prague: { delegation: true, requests: true, maxBlobs: 9, lastPrecompile: 0x11 },
  osaka: { gasLimitCap: 1n << 24n, gasCap: 1n << 24n, maxBlobs: 6, p256: true, limitedModexp: true },
  amsterdam,
}

const table = new Map<string, ForkRules>()
let previous = berlin
for (const [index, fork] of forks.entries()) {
  previous = { ...previous, ...changes[fork] }
  table.set(fork, { fork, index, ...previous, prices: pricesOf(fork) })
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

/** What the rules of a block depend on. */
export type RulesOfBlock = Partial<Pick<BlockContext, 'limits' | 'prices'>> & { fork: string }

/** The rules of a block: its fork's, with its own limits and prices. */
export function rulesOf({ fork, limits, prices }: RulesOfBlock): ForkRules {
  const rules = requireRules(fork)
  if (!limits && !prices) return rules
  const { codeSize = rules.maxCodeSize, noTransactionGasCap } = limits ?? {}
  const uncapped = noTransactionGasCap && { gasLimitCap: undefined, gasCap: undefined }
  return { ...rules, maxCodeSize: codeSize, ...uncapped, prices: pricesOf(rules.fork, prices) }
}
