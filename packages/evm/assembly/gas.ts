// Gas that depends on more than the operation. What an operation always costs is in the table of operations (ROWS); for state
// accesses that is the price of a warm one.
import { PRICES } from './layout'

/** The prices that the host has written to PRICES, in its order (src/gas/engineTables.ts). */
export const enum Price {
  WARM_ACCESS,
  /** What a cold slot costs SLOAD beyond a warm one. */
  COLD_SLOAD_SURCHARGE,
  COLD_SSTORE,
  SSTORE_SET,
  SSTORE_RESET,
  REFUND_CLEAR,
  COLD_ACCOUNT,
  /** What it costs beyond a warm one. */
  COLD_ACCOUNT_SURCHARGE,
  CALL_VALUE,
  /** SSTORE fails with this much gas or less, so that a stipend cannot write (EIP-2200). */
  CALL_STIPEND,
  NEW_ACCOUNT,
  SELFDESTRUCT_NEW_ACCOUNT,
  REFUND_SELFDESTRUCT,
  LOG_BYTE,
  KECCAK_WORD,
  EXP_BYTE,
  CODE_BYTE,
  CODE_WORD,
  INITCODE_WORD,
  COPY_WORD,
  MEMORY_WORD,
  // State gas (EIP-8037).
  ACCOUNT_STATE,
  SLOT_STATE,
  CODE_BYTE_STATE,
  IDENTITY_BASE,
  IDENTITY_WORD,
  IDENTITY_BYTE,
}

@inline
export function price(which: Price): i64 {
  return load<i64>(PRICES + ((<usize>which) << 3))
}

/** What a memory of so many words costs in all. */
@inline
export function memoryCost(words: u64): i64 {
  return <i64>words * price(Price.MEMORY_WORD) + <i64>((words * words) >> 9)
}

@inline
export function wordsOf(bytes: u64): i64 {
  return <i64>((bytes + 31) >> 5)
}
