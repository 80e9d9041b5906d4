// Gas that depends on more than the operation. What an operation always costs is in the host's table (src/opcodes.ts); for
// state accesses that is the price of a warm one, and the surcharges for cold ones are here.

export const COLD_ACCOUNT_SURCHARGE: i64 = 2500
export const COLD_ACCOUNT: i64 = 2600
export const WARM_ACCESS: i64 = 100
export const COLD_SLOT_SURCHARGE: i64 = 2000
export const COLD_SLOT: i64 = 2100

/** SSTORE fails with this much gas or less, so that a stipend can write nothing (EIP-2200). */
export const SSTORE_SENTRY: i64 = 2300
export const SSTORE_SET: i64 = 20000
export const SSTORE_RESET: i64 = 2900

export const CALL_VALUE: i64 = 9000
export const CALL_STIPEND: i64 = 2300
export const NEW_ACCOUNT: i64 = 25000

export const EXP_BYTE: i64 = 50
export const COPY_WORD: i64 = 3
export const KECCAK_WORD: i64 = 6
export const LOG_BYTE: i64 = 8
export const INITCODE_WORD: i64 = 2
export const CODE_BYTE: i64 = 200
export const SELFDESTRUCT_REFUND: i64 = 24000

export const MAX_CODE_SIZE: u32 = 24576
export const MAX_INITCODE_SIZE: u64 = 49152

/** What a memory of so many words costs in all. */
@inline
export function memoryCost(words: u64): i64 {
  return <i64>(words * 3 + ((words * words) >> 9))
}

@inline
export function wordsOf(bytes: u64): i64 {
  return <i64>((bytes + 31) >> 5)
}
