// The values of the block and of the transaction. The host writes words as big-endian bytes into EXCHANGE and calls `setContext`.
import { BLOB_HASHES, CONTEXT, EXCHANGE, MAX_MOVED, MOVED } from './layout'
import { equal, fromAddressBytes, fromBytes } from './words/words'

export const ORIGIN: usize = CONTEXT
export const GAS_PRICE: usize = CONTEXT + 32
export const COINBASE: usize = CONTEXT + 64
export const TIMESTAMP: usize = CONTEXT + 96
export const NUMBER: usize = CONTEXT + 128
export const PREV_RANDAO: usize = CONTEXT + 160
export const GAS_LIMIT: usize = CONTEXT + 192
export const CHAIN_ID: usize = CONTEXT + 224
export const BASE_FEE: usize = CONTEXT + 256
export const BLOB_BASE_FEE: usize = CONTEXT + 288
export const SLOT_NUMBER: usize = CONTEXT + 320

/** Word `index` of the list above. */
export function setContext(index: i32): void {
  fromBytes(CONTEXT + ((<usize>index) << 5), EXCHANGE)
}

export let blobHashCount: u32 = 0

export function setBlobHashCount(count: u32): void {
  blobHashCount = count
}

export function setBlobHash(index: u32): void {
  fromBytes(BLOB_HASHES + ((<usize>index) << 5), EXCHANGE)
}

/** What a result depends on besides state, one bit each; the host has the same list. */
export const enum Read {
  NUMBER = 1,
  TIMESTAMP = 2,
  COINBASE = 4,
  GAS_LIMIT = 8,
  BASE_FEE = 16,
  PREV_RANDAO = 32,
  BLOB_BASE_FEE = 64,
  SLOT_NUMBER = 128,
  /** The gas price, or a balance: fees change those of the sender and of the coinbase. */
  FEES = 256,
}
export let environmentRead: u32 = 0

@inline
export function markRead(bit: u32): void {
  environmentRead |= bit
}

export function clearEnvironmentRead(): void {
  environmentRead = 0
}

// The rules of the fork, as the host's fork table (src/forks.ts) has them.

/** Code may not begin with 0xEF (EIP-3541). */
export let rejectEf: bool = false
/** Init code is limited (EIP-3860). */
export let limitInitcode: bool = false
/** SELFDESTRUCT destroys only what the same transaction created (EIP-6780). */
export let destroyOnlyNew: bool = false
/** Code may delegate to another account (EIP-7702). */
export let delegation: bool = false
/** The highest of the precompiles that are numbered from 1. */
export let lastPrecompile: u64 = 0
/** P256VERIFY is at 0x100 (EIP-7951). */
export let p256: bool = false
/** An account with storage cannot be created (EIP-7610). */
export let storageCollides: bool = true
/** Transfers of ether leave a log (EIP-7708). */
export let transferLogs: bool = false
/** State has its own gas (EIP-8037). */
export let stateGas: bool = false
/** An account that SELFDESTRUCT removes keeps its balance (EIP-8246). */
export let keepsBalance: bool = false
/** Twice as much for init code. */
export let maxCodeSize: u32 = 24576

export function setRules(
  rejectEf_: bool,
  limitInitcode_: bool,
  destroyOnlyNew_: bool,
  delegation_: bool,
  lastPrecompile_: u32,
  p256_: bool,
  storageCollides_: bool,
  transferLogs_: bool,
  stateGas_: bool,
  keepsBalance_: bool,
  maxCodeSize_: u32,
): void {
  rejectEf = rejectEf_
  limitInitcode = limitInitcode_
  destroyOnlyNew = destroyOnlyNew_
  delegation = delegation_
  lastPrecompile = lastPrecompile_
  p256 = p256_
  storageCollides = storageCollides_
  transferLogs = transferLogs_
  stateGas = stateGas_
  keepsBalance = keepsBalance_
  maxCodeSize = maxCodeSize_
}

/**
 * An address, the number of the precompile there if it is not the standard one (0: none), whether the address is always warm, and
 * how many of the lowest bits of the address are any.
 */
const MOVED_LENGTH: usize = 40
let movedCount: u32 = 0

/** Puts all precompiles at their standard addresses. */
export function restorePrecompiles(): void {
  movedCount = 0
}

/**
 * Puts a precompile at the address at EXCHANGE, and at all others that differ only in the lowest `anyBits`; 0 takes away what is
 * there. What was put first counts. Answers whether there was room to note it.
 */
export function movePrecompile(number: u32, isWarm: bool, anyBits: u32): bool {
  if (movedCount == MAX_MOVED) return false
  const entry = MOVED + movedCount++ * MOVED_LENGTH
  fromAddressBytes(entry, EXCHANGE)
  store<u32>(entry, number, 32)
  store<u16>(entry, <u16>isWarm, 36)
  store<u16>(entry, <u16>anyBits, 38)
  return true
}

/** The number of the precompile at an address, 0 when there is none. */
export function precompileAt(address: usize): u32 {
  for (let i: u32 = 0; i < movedCount; i++) {
    const entry = MOVED + i * MOVED_LENGTH
    if (isMoved(entry, address)) return load<u32>(entry, 32)
  }
  return standardPrecompileAt(address)
}

/** Whether the address of a precompile is always warm: those of the chain are, also when a call moves them, as in geth. */
export function isAlwaysWarm(address: usize): bool {
  for (let i: u32 = 0; i < movedCount; i++) {
    const entry = MOVED + i * MOVED_LENGTH
    if (isMoved(entry, address)) return load<u16>(entry, 36) != 0
  }
  return standardPrecompileAt(address) != 0
}

/** Whether an address is that of an entry, as far as the entry has one. */
function isMoved(entry: usize, address: usize): bool {
  const anyBits = <u64>load<u16>(entry, 38)
  if (anyBits == 0) return equal(entry, address)
  const high = load<u64>(entry, 16) ^ load<u64>(address, 16)
  if (anyBits >= 128) return high >> (anyBits - 128) == 0
  const middle = load<u64>(entry, 8) ^ load<u64>(address, 8)
  if (anyBits >= 64) return (high | (middle >> (anyBits - 64))) == 0
  return (high | middle | ((load<u64>(entry) ^ load<u64>(address)) >> anyBits)) == 0
}

/** The same as `precompileAt` where none is moved. */
function standardPrecompileAt(address: usize): u32 {
  if ((load<u64>(address, 8) | load<u64>(address, 16)) != 0) return 0
  const number = load<u64>(address)
  if (number <= lastPrecompile) return <u32>number
  return p256 && number == 0x100 ? 0x100 : 0
}
