// Codes that are resident, by their hash, and what the interpreter runs instead.
import { covering, COVERAGE_HEADER, plantMarks } from './coverage'
import { addExtraWork } from '../extraWork'
import { Account, EMPTY_HASH } from './accounts'
import { TRACING } from '../flavor'
import { fuse } from './fusion'
import { hashWord } from '../crypto/hash'
import { allocateLarge } from '../heap'
import * as host from '../host'
import { keccak } from '../crypto/keccak'
import { CODE_TABLE, CODE_TABLE_BITS, EXCHANGE, SCRATCH } from '../layout'
import { Fused, Op } from '../opcodes'
import { copy, equal, fromAddressBytes, toAddressBytes, toBytes } from '../words/words'

@unmanaged
export class Code {
  next: u32
  length: u32
  /** The original code. */
  raw: u32
  /** What runs; 0 until it runs for the first time. See `analyse`. */
  text: u32
  jumps: u32
  padding: u32
  hash0: u64
  hash1: u64
  hash2: u64
  hash3: u64

  @inline get hash(): usize {
    return changetype<usize>(this) + offsetof<Code>('hash0')
  }
}

const EMPTY: usize = memory.data(64, 8)

function find(hash: usize): usize {
  let p = <usize>load<u32>(bucketOf(hash))
  while (p != 0 && !equal(changetype<Code>(p).hash, hash)) p = changetype<Code>(p).next
  return p
}

@inline
function bucketOf(hash: usize): usize {
  return CODE_TABLE + (hashWord(hash, 0, CODE_TABLE_BITS) << 2)
}

/** A new code of `length` bytes, its bytes not written yet; 0 when the heap is full. */
function insert(hash: usize, length: u32): usize {
  const p = allocateLarge(offsetof<Code>() + length)
  if (p == 0) return 0
  const code = changetype<Code>(p)
  const bucket = bucketOf(hash)
  code.length = length
  code.raw = <u32>(p + offsetof<Code>())
  copy(code.hash, hash)
  code.next = load<u32>(bucket)
  store<u32>(bucket, <u32>p)
  return p
}

/** The code of a touched account; the empty one while the host lacks it. */
export function codeOf(account: Account): Code {
  if (account.code != 0) return changetype<Code>(<usize>account.code)
  if (equal(account.codeHash, EMPTY_HASH)) {
    account.code = <u32>EMPTY
    return changetype<Code>(EMPTY)
  }
  let p = find(account.codeHash)
  if (p == 0) {
    toAddressBytes(EXCHANGE, account.address)
    toBytes(EXCHANGE + 32, account.codeHash)
    const length = host.loadCode()
    if (length < 0) return changetype<Code>(EMPTY)
    p = insert(account.codeHash, length)
    if (p == 0) return changetype<Code>(EMPTY)
    host.copyCode(changetype<Code>(p).raw)
  }
  account.code = <u32>p
  return changetype<Code>(p)
}

/** The resident code with these bytes; the empty one when the heap is full. */
export function internCode(from: usize, length: u32): Code {
  const hash = SCRATCH + 0x300
  if (length == 0) return changetype<Code>(EMPTY)
  keccak(from, length, hash)
  let p = find(hash)
  if (p == 0) {
    p = insert(hash, length)
    if (p == 0) return changetype<Code>(EMPTY)
    memory.copy(changetype<Code>(p).raw, from, length)
  }
  return changetype<Code>(p)
}

/** The hash of a code that `internCode` answered. */
export function hashOf(code: Code): usize {
  return changetype<usize>(code) == EMPTY ? EMPTY_HASH : code.hash
}

const DELEGATION_LENGTH: u32 = 23

/** Whether a code delegates to another account (EIP-7702); the account's address becomes the word at `to`. */
export function delegationOf(code: Code, to: usize): bool {
  if (code.length != DELEGATION_LENGTH || (load<u32>(code.raw) & 0xffffff) != 0x0001ef) return false
  fromAddressBytes(to, code.raw + 3)
  return true
}

/** Zero bytes after the text: the end of code is STOP, and immediates may be cut off. */
const PADDING: usize = 96

/** The bytes that `analyse` needs for a code. */
@inline
export function analysedSize(length: u32): usize {
  return jumpsOffset(length) + ((<usize>length + 63) >> 3)
}

/** Where the map of jump destinations begins. */
@inline
export function jumpsOffset(length: u32): usize {
  return (<usize>length + PADDING + 15) & ~15
}

/** Analyses a resident code once. False when the heap is full. */
export function prepare(code: Code): bool {
  if (code.text != 0) return true
  const allocated = allocateLarge(COVERAGE_HEADER + analysedSize(code.length))
  if (allocated == 0) return false
  const text = allocated + COVERAGE_HEADER
  analyse(code.raw, code.length, text)
  if (!TRACING && covering) plantMarks(changetype<usize>(code), code.raw, code.length, text)
  code.text = <u32>text
  code.jumps = <u32>(text + jumpsOffset(code.length))
  return true
}

/**
 * Writes the text that runs instead of a code, and the map of its jump destinations, one bit a byte. In the text, immediates
 * are little-endian, and common sequences begin with a fused operation. Only JUMPDEST can be jumped to and no fused sequence
 * has one inside, so nothing else of the sequence has to change. Positions are those of the code.
 */
export function analyse(raw: usize, length: u32, text: usize): void {
  const jumps = text + jumpsOffset(length)
  addExtraWork(length)
  memory.copy(text, raw, length)
  memory.fill(text + length, 0, analysedSize(length) - length)
  let i: u32 = 0
  while (i < length) {
    const op = <i32>load<u8>(text + i)
    if (op == Op.JUMPDEST) {
      const p = jumps + (i >> 3)
      store<u8>(p, <u8>(<u32>load<u8>(p) | ((<u32>1) << (i & 7))))
    } else if (op >= Op.PUSH1 && op <= Op.PUSH32) {
      const count: u32 = op - Op.PUSH1 + 1
      reverse(text + i + 1, count)
      i += count
    } else if (op >= Fused.FIRST && op <= Fused.LAST) {
      store<u8>(text + i, Op.INVALID)
    }
    i++
  }
  if (!TRACING) fuse(text, jumps, length)
}

function reverse(p: usize, count: u32): void {
  let q = p + count - 1
  while (p < q) {
    const byte = load<u8>(p)
    store<u8>(p, load<u8>(q))
    store<u8>(q, byte)
    p++
    q--
  }
}
