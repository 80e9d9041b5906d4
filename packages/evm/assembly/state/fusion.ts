// Finds sequences of operations that the interpreter runs as one. `opcodes.ts` lists them.
import { Fused, Op } from '../opcodes'

/** Bytes of the sequence that `fusedAt` found. */
let length: u32 = 0

/** Writes fused operations into a text of `end` bytes. */
export function fuse(text: usize, jumps: usize, end: u32): void {
  let i: u32 = 0
  while (i < end) {
    const p = text + i
    const fused = fusedAt(p, jumps, end)
    if (fused != 0) {
      store<u8>(p, <u8>fused)
      i += length
    } else {
      const op = opAt(p, 0)
      i += op >= Op.PUSH1 && op <= Op.PUSH32 ? op - Op.PUSH1 + 2 : 1
    }
  }
}

/** Where the target of a fused jump with a condition is, from its first byte; 0 for all other operations. */
export function targetOf(fused: i32): u32 {
  switch (fused) {
    case Fused.PUSH2_JUMPI:
      return 1
    case Fused.ISZERO_JUMPI:
    case Fused.LT_JUMPI:
    case Fused.GT_JUMPI:
    case Fused.EQ_JUMPI:
      return 2
    case Fused.LT_ISZERO_JUMPI:
    case Fused.GT_ISZERO_JUMPI:
    case Fused.DUP1_ISZERO_JUMPI:
      return 3
    case Fused.DUP1_PUSH4_EQ_JUMPI:
      return 8
    default:
      return 0
  }
}

@inline
function opAt(p: usize, offset: usize): i32 {
  return <i32>load<u8>(p + offset)
}

@inline
function found(fused: i32, bytes: u32): i32 {
  length = bytes
  return fused
}

@inline
function isDup(op: i32): bool {
  return op >= Op.DUP1 && op <= Op.DUP16
}

@inline
function isSwap(op: i32): bool {
  return op >= Op.SWAP1 && op <= Op.SWAP16
}

/** Whether PUSH2 and `jump` are at `p`, and the target can be jumped to. */
function jumps2(p: usize, jump: i32, jumps: usize, end: u32): bool {
  if (opAt(p, 0) != Op.PUSH2 || opAt(p, 3) != jump) return false
  const target = <u32>load<u16>(p, 1)
  return target < end && ((load<u8>(jumps + (target >> 3)) >> <u8>(target & 7)) & 1) != 0
}

function isMask(p: usize): bool {
  return (
    load<u32>(p) == 0x01600160 && opAt(p, 4) == Op.PUSH1 && opAt(p, 6) == Op.SHL && opAt(p, 7) == Op.SUB
  )
}

/** The fused operation for what begins at `p`, 0 for none. */
function fusedAt(p: usize, jumps: usize, end: u32): i32 {
  const op = opAt(p, 0)
  const next = opAt(p, 1)
  if (op == Op.PUSH1) return fusedPush(p)
  if (op == Op.PUSH2) {
    if (jumps2(p, Op.JUMPI, jumps, end)) return found(Fused.PUSH2_JUMPI, 4)
    return jumps2(p, Op.JUMP, jumps, end) ? found(Fused.PUSH2_JUMP, 4) : 0
  }
  if (op == Op.POP) {
    if (next == Op.JUMP) return found(Fused.POP_JUMP, 2)
    if (next != Op.POP) return 0
    return opAt(p, 2) == Op.POP ? found(Fused.POP_POP_POP, 3) : found(Fused.POP_POP, 2)
  }
  if (isDup(op)) return fusedDup(p, jumps, end)
  if (isSwap(op)) {
    if (next == Op.POP) return found(Fused.SWAP_POP, 2)
    if (isSwap(next)) return found(Fused.SWAP_SWAP, 2)
    return op == Op.SWAP1 && isDup(next) ? found(Fused.SWAP1_DUP, 2) : 0
  }
  if (op == Op.ADD) return jumps2(p + 1, Op.JUMP, jumps, end) ? found(Fused.ADD_PUSH2_JUMP, 5) : 0
  if (op == Op.ISZERO || op == Op.EQ) {
    if (!jumps2(p + 1, Op.JUMPI, jumps, end)) return 0
    return found(op == Op.ISZERO ? Fused.ISZERO_JUMPI : Fused.EQ_JUMPI, 5)
  }
  if (op == Op.LT || op == Op.GT) {
    const negated = next == Op.ISZERO
    if (!jumps2(p + (negated ? 2 : 1), Op.JUMPI, jumps, end)) return 0
    if (negated) return found(op == Op.LT ? Fused.LT_ISZERO_JUMPI : Fused.GT_ISZERO_JUMPI, 6)
    return found(op == Op.LT ? Fused.LT_JUMPI : Fused.GT_JUMPI, 5)
  }
  return 0
}

function fusedPush(p: usize): i32 {
  if (isMask(p)) {
    if (opAt(p, 8) == Op.AND) return found(Fused.MASK_AND, 9)
    return isDup(opAt(p, 8)) && opAt(p, 9) == Op.AND ? found(Fused.MASK_DUP_AND, 10) : found(Fused.MASK, 8)
  }
  const next = opAt(p, 2)
  switch (next) {
    case Op.ADD:
      return found(Fused.PUSH1_ADD, 3)
    case Op.MLOAD:
      return found(Fused.PUSH1_MLOAD, 3)
    case Op.MSTORE:
      return found(Fused.PUSH1_MSTORE, 3)
    case Op.SHL:
      return found(Fused.PUSH1_SHL, 3)
    case Op.SHR:
      return found(Fused.PUSH1_SHR, 3)
    case Op.PUSH1:
      return isMask(p + 2) ? 0 : found(Fused.PUSH1_PUSH1, 4)
    default:
      return isDup(next) ? found(Fused.PUSH1_DUP, 3) : 0
  }
}

function fusedDup(p: usize, jumps: usize, end: u32): i32 {
  const next = opAt(p, 1)
  if (opAt(p, 0) == Op.DUP1) {
    if (next == Op.PUSH4 && opAt(p, 6) == Op.EQ && jumps2(p + 7, Op.JUMPI, jumps, end)) {
      return found(Fused.DUP1_PUSH4_EQ_JUMPI, 11)
    }
    if (next == Op.ISZERO && jumps2(p + 2, Op.JUMPI, jumps, end)) return found(Fused.DUP1_ISZERO_JUMPI, 6)
  }
  switch (next) {
    case Op.AND:
      return found(Fused.DUP_AND, 2)
    case Op.ADD:
      return found(Fused.DUP_ADD, 2)
    case Op.MSTORE:
      return found(Fused.DUP_MSTORE, 2)
    default:
      return isDup(next) ? found(Fused.DUP_DUP, 2) : 0
  }
}
