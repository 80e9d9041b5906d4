import { type Fork, forks } from '../port.ts'
import { knownByText } from './knownByText.ts'
import type { Prices } from './prices.ts'

const berlin: Prices = {
  coldSload: 2100,
  coldSstore: 2100,
  sstoreSet: 20000,
  sstoreReset: 2900,
  refundClear: 15000,
  coldAccount: 2600,
  warmAccess: 100,
  readCode: 0,
  callValue: 9000,
  callStipend: 2300,
  newAccount: 25000,
  selfdestruct: 5000,
  selfdestructNewAccount: 25000,
  refundSelfdestruct: 24000,
  transient: 100,
  log: 375,
  logTopic: 375,
  logByte: 8,
  keccak: 30,
  keccakWord: 6,
  exp: 10,
  expByte: 50,
  create: 32000,
  codeByte: 200,
  codeWord: 0,
  initcodeWord: 0,
  copyWord: 3,
  memoryWord: 3,
  calldataZeroByte: 4,
  calldataByte: 16,
  floorToken: 0,
  transaction: 21000,
  transactionCreate: 32000,
  transactionRecipient: 0,
  transactionValue: 0,
  accessListAddress: 2400,
  accessListKey: 1900,
  authorization: 0,
  refundAuthorization: 0,
  accountWrite: 0,
  accountState: 0,
  slotState: 0,
  delegationState: 0,
  codeByteState: 0,
  precompiles: {},
}

/** Gas of a byte of state (EIP-8037). */
const stateByte = 1530

/**
 * Amsterdam as Sepolia runs it (execution-specs tests@v21.0.1 of 2026-10-08): EIP-2780 and EIP-8038 of 2026-08-04, EIP-8037 of
 * 2026-09-10, EIP-7976 of 2026-07-08, EIP-7981 of 2026-07-07. All that may still move is here.
 */
const amsterdam: Partial<Prices> = {
  // EIP-8038. An access of a cold slot is 2100 in all, and the first write of a slot 10000 beside its access.
  coldSstore: 2000,
  sstoreSet: 10100,
  sstoreReset: 10100,
  refundClear: 11616,
  coldAccount: 3000,
  readCode: 100,
  callValue: 11300,
  newAccount: 0,
  selfdestructNewAccount: 9000,
  create: 12000,
  codeByte: 0,
  codeWord: 6,
  // EIP-2780.
  transaction: 12000,
  transactionCreate: 12000,
  transactionRecipient: 3000,
  transactionValue: 6000,
  accessListAddress: 2900,
  accessListKey: 2000,
  authorization: 7816,
  refundAuthorization: 0,
  accountWrite: 9000,
  // EIP-7976.
  floorToken: 16,
  // EIP-8037.
  accountState: 120 * stateByte,
  slotState: 64 * stateByte,
  delegationState: 23 * stateByte,
  codeByteState: stateByte,
}

/** What each fork changed: EIP-3529, EIP-3860, EIP-7623 and EIP-7702, and Amsterdam's. */
const changes: Partial<Record<Fork, Partial<Prices>>> = {
  london: { refundClear: 4800, refundSelfdestruct: 0 },
  shanghai: { initcodeWord: 2 },
  prague: { floorToken: 10, authorization: 25000, refundAuthorization: 12500 },
  amsterdam,
}

const table = new Map<string, Prices>()
let previous = berlin
for (const fork of forks) {
  previous = { ...previous, ...changes[fork] }
  table.set(fork, previous)
}

/** More sets of prices that chains have are forgotten. */
const chainLimit = 64
/** Tables are made once of each: to write the prices of a block as text takes longer than a short call. */
const ofChains = new Map<Fork, (different: Partial<Prices>) => Prices>()

/** What everything costs in a fork, or on a chain that has other prices. The same prices are the same object. */
export function pricesOf(fork: Fork, different?: Partial<Prices>): Prices {
  if (!different) return table.get(fork) as Prices
  const known = ofChains.get(fork) ?? knownByText(chainLimit, (each) => ({ ...(table.get(fork) as Prices), ...each }))
  ofChains.set(fork, known)
  return known(different)
}
