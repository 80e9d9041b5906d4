// Gas that depends on more than the operation. What an operation always costs is in the host's table (src/opcodes.ts); for
// state accesses that is the price of a warm one, and the surcharges for cold ones are here. Prices that a fork changed are in
// context.ts.

export const WARM_ACCESS: i64 = 100
export const COLD_SLOT_SURCHARGE: i64 = 2000
export const COLD_SLOT: i64 = 2100

/** SSTORE fails with this much gas or less, so that a stipend cannot write (EIP-2200). */
export const SSTORE_SENTRY: i64 = 2300
export const SSTORE_SET: i64 = 20000
export const SSTORE_RESET: i64 = 2900

/** The cost of the first change of a slot, in addition to its access (EIP-8038). */
export const STORAGE_WRITE: i64 = 10000

export const CALL_STIPEND: i64 = 2300

export const EXP_BYTE: i64 = 50
export const COPY_WORD: i64 = 3
export const KECCAK_WORD: i64 = 6
export const LOG_BYTE: i64 = 8
export const INITCODE_WORD: i64 = 2
export const SELFDESTRUCT_REFUND: i64 = 24000

// State gas (EIP-8037).
export const STATE_BYTE: i64 = 1530
export const NEW_ACCOUNT_STATE: i64 = 120 * STATE_BYTE
export const NEW_SLOT_STATE: i64 = 64 * STATE_BYTE

/** What a memory of so many words costs in all. */
@inline
export function memoryCost(words: u64): i64 {
  return <i64>(words * 3 + ((words * words) >> 9))
}

@inline
export function wordsOf(bytes: u64): i64 {
  return <i64>((bytes + 31) >> 5)
}
