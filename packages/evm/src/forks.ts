import { type BlockLimits, type Fork, forks } from './port.ts'

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
   * Gas for state is a dimension of its own, beside regular gas, which alone has the cap (EIP-8037); SSTORE costs what EIP-8038
   * says, and authorizations too.
   */
  stateGas: boolean
  /** SELFDESTRUCT burns nothing (EIP-8246). */
  keepsBalance: boolean
  /** Blocks have the number of their slot (EIP-7843), and the hash of their access list (EIP-7928). */
  accessLists: boolean
  /** Maximum length of code; init code may be twice as long (EIP-170, EIP-7954). */
  maxCodeSize: number
  /** Gas of the operations, beside what src/opcodes.ts has. */
  prices: Prices
  /** Gas of a transaction before its first operation. */
  intrinsic: IntrinsicPrices
}

/** In gas. */
export type Prices = {
  coldAccount: number
  /** A call with value. */
  callValue: number
  /** A call with value to an empty account, beside its state gas. */
  callToNew: number
  /** SELFDESTRUCT with a balance to an empty account, beside its state gas. */
  destructToNew: number
  /** New code, for each byte and for each word, beside its state gas. */
  codeByte: number
  codeWord: number
}

/** In gas. */
export type IntrinsicPrices = {
  base: bigint
  create: bigint
  /** A transaction to another account (EIP-2780). */
  recipient: bigint
  /** …with value. */
  value: bigint
  /** An entry of the access list. */
  address: bigint
  storageKey: bigint
  authorization: bigint
  floorToken: bigint
  /** A zero byte counts as many tokens as another one for the floor (EIP-7976), and the access list counts too (EIP-7981). */
  everyByteCounts: boolean
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
  prices: { coldAccount: 2600, callValue: 9000, callToNew: 25000, destructToNew: 25000, codeByte: 200, codeWord: 0 },
  intrinsic: {
    base: 21000n,
    create: 32000n,
    recipient: 0n,
    value: 0n,
    address: 2400n,
    storageKey: 1900n,
    authorization: 25000n,
    floorToken: 10n,
    everyByteCounts: false,
  },
}

/**
 * Amsterdam as Sepolia runs it (execution-specs tests@v21.0.1 of 2026-10-08): EIP-2780 and EIP-8038 of 2026-08-04, EIP-8037 of
 * 2026-09-10, EIP-7708 of 2026-07-10, EIP-7778 of 2026-07-10, EIP-7843 of 2026-08-05, EIP-7928 of 2026-07-09, EIP-7954 of
 * 2026-07-08, EIP-7976 of 2026-07-08, EIP-7981 of 2026-07-07, EIP-7997 of 2026-07-17, EIP-8024 of 2026-06-10, EIP-8246 of
 * 2026-05-22, EIP-8282 of 2026-08-10. @ethereumjs/vm 10.1.3 has EIP-8037 of 2026-07-31, without the repayment of EIPs#12265 and
 * the cap of gas limits of EIPs#12311. State gas is in assembly/state/stateGas.ts.
 */
const amsterdam: Changes = {
  storageCollides: false,
  transferLogs: true,
  stateGas: true,
  gasLimitCap: (1n << 32n) - 1n,
  keepsBalance: true,
  accessLists: true,
  maxCodeSize: 65536,
  clearRefund: 11616,
  prices: { coldAccount: 3000, callValue: 11300, callToNew: 0, destructToNew: 9000, codeByte: 0, codeWord: 6 },
  intrinsic: {
    base: 12000n,
    create: 12000n,
    recipient: 3000n,
    value: 6000n,
    address: 2900n,
    storageKey: 2000n,
    authorization: 7816n,
    floorToken: 16n,
    everyByteCounts: true,
  },
}

/** Each fork's changes relative to the previous one. */
const changes: Record<Fork, Changes> = {
  berlin: {},
  london: { refundQuotient: 5n, clearRefund: 4800, selfdestructRefund: false, baseFee: true, rejectEf: true },
  paris: { proofOfStake: true },
  shanghai: { warmCoinbase: true, meterInitcode: true, withdrawals: true },
  cancun: { destroyOnlyNew: true, blobs: true, maxBlobs: 6, lastPrecompile: 0x0a },
  prague: { delegation: true, floorGas: true, requests: true, maxBlobs: 9, lastPrecompile: 0x11 },
  osaka: { gasLimitCap: 1n << 24n, gasCap: 1n << 24n, maxBlobs: 6, p256: true, limitedModexp: true },
  amsterdam,
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

/** The rules of a block: its fork's, with its own limits. */
export function rulesOf({ fork, limits }: { fork: string; limits?: BlockLimits | undefined }): ForkRules {
  const rules = requireRules(fork)
  if (!limits) return rules
  const { codeSize = rules.maxCodeSize, noTransactionGasCap } = limits
  const uncapped = noTransactionGasCap && { gasLimitCap: undefined, gasCap: undefined }
  return { ...rules, maxCodeSize: codeSize, ...uncapped }
}
