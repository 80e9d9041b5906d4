// Coverage: which parts of a code have run. While it is on, the text of a code (see codes.ts) has marks: an operation instead of
// the first one of each basic block, and instead of each jump's condition that has a fixed target. What is reached takes its mark
// away, so a code runs as fast as without coverage once it has run. Marks that a run has reached are kept until it ends: the host
// takes them, or `replantMarks` puts them back.
import { allocateLarge, hasSpare } from '../heap'
import { MARKS, MARKS_END } from '../layout'
import { targetOf } from './fusion'
import { Fused, Op } from '../opcodes'

export let covering: bool = false

export function setCovering(on: bool): void {
  covering = on
}

/** Bytes before a text that has marks: its code, where its marks of jumps begin, how many these can be, and its length. */
export const COVERAGE_HEADER: usize = 16

/** In a position: the jump there was taken, and the code ran to create a contract. */
const TAKEN: u32 = 0x80000000
const CREATION: u32 = 0x40000000

/** The marks that this run has reached: code, position, text, and where the mark was; 16 bytes each. */
export let marksEnd: usize = MARKS
/** Whether the run reached more marks than fit: those are not told of, so the codes must become resident again. */
export let marksLost: bool = false

export function beginMarks(): void {
  marksEnd = MARKS
  marksLost = false
}

/** The host has taken them. */
export function clearMarks(): void {
  marksEnd = MARKS
}

/**
 * Writes the marks of a code into its text. Beside the text: for each jump one byte that is a mark, then where its target is in
 * the text and what it was (16 bits each), then a copy of the text without marks.
 */
export function plantMarks(code: usize, raw: usize, length: u32, text: usize): void {
  let jumps: u32 = 0
  for (let i: u32 = 0; i < length; i++) jumps += <u32>(load<u8>(raw + i) == Op.JUMPI)
  const size = 5 * jumps + length
  if (!hasSpare(size)) return
  const beside = allocateLarge(size)
  store<u32>(text - 16, <u32>code)
  store<u32>(text - 12, <u32>beside)
  store<u32>(text - 8, jumps)
  store<u32>(text - 4, length)
  memory.fill(beside, <u8>Fused.MARK, jumps)
  memory.copy(beside + 5 * jumps, text, length)
  let jump: u32 = 0
  let i: u32 = 0
  let begins = true
  while (i < length) {
    const op = <i32>load<u8>(raw + i)
    const offset = targetOf(<i32>load<u8>(text + i))
    const target = i + offset
    const mark = beside - text + jump
    if (offset != 0 && mark <= 0xffff) {
      const record = beside + jumps + (jump << 2)
      store<u16>(record, <u16>target)
      store<u16>(record, load<u16>(text + target), 2)
      store<u16>(text + target, <u16>mark)
      jump++
    }
    if (begins || op == Op.JUMPDEST) store<u8>(text + i, Fused.MARK)
    begins = op == Op.JUMPI || op == Op.CREATE || (op >= Op.CALL && op <= Op.CREATE2 && op != Op.RETURN) || op == Op.STATICCALL
    i += op >= Op.PUSH1 && op <= Op.PUSH32 ? op - Op.PUSH1 + 2 : 1
  }
}

/** Keeps that a mark was reached, and takes it away. Answers where the run goes on. */
export function reachMark(text: usize, pc: usize, creates: bool): usize {
  const beside = <usize>load<u32>(text - 12)
  const jumps = load<u32>(text - 8)
  let position = <u32>(pc - text)
  let next = pc
  if (position < load<u32>(text - 4)) {
    store<u8>(pc, load<u8>(beside + 5 * jumps + position))
  } else {
    const record = beside + jumps + ((pc - beside) << 2)
    const offset = <u32>load<u16>(record)
    const target = load<u16>(record, 2)
    store<u16>(text + offset, target)
    // After the target comes the jump.
    position = (offset + 2) | TAKEN
    next = text + target
  }
  if (marksEnd == MARKS_END) {
    marksLost = true
    return next
  }
  store<u32>(marksEnd, load<u32>(text - 16))
  store<u32>(marksEnd, creates ? position | CREATION : position, 4)
  store<u32>(marksEnd, <u32>text, 8)
  store<u32>(marksEnd, <u32>pc, 12)
  marksEnd += 16
  return next
}

/** Puts back the marks that this run has reached. */
export function replantMarks(): void {
  for (let entry = MARKS; entry < marksEnd; entry += 16) {
    const text = <usize>load<u32>(entry, 8)
    const pc = <usize>load<u32>(entry, 12)
    const position = load<u32>(entry, 4)
    if ((position & TAKEN) != 0) store<u16>(text + ((position & ~(TAKEN | CREATION)) - 2), <u16>(pc - text))
    else store<u8>(pc, Fused.MARK)
  }
  marksEnd = MARKS
}
