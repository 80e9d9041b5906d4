// The memory of a frame: `size` bytes (whole words) at `start`. Memories lie one above the other, the running frame's last.
import { clearWords, copyBytes } from './words/bytes'
import { MAX_FRAME_MEMORY, MEMORY_END } from './layout'
import { isSmall } from './words/words'

const PAGE_BITS: u32 = 16
/** Linear memory grows by 4 MiB at a time. */
const GROWTH_PAGES: u32 = 64

/** Answers of `rangeEnd` and `pageIn` that mean "more than any gas pays for". */
export const TOO_FAR: u64 = u64.MAX_VALUE

/** The end of the range [offset, offset + length) of two words; 0 for an empty range wherever it is. */
export function rangeEnd(offset: usize, length: usize): u64 {
  const count = load<u64>(length)
  if (!isSmall(length) || count > MAX_FRAME_MEMORY) return TOO_FAR
  if (count == 0) return 0
  const start = load<u64>(offset)
  if (!isSmall(offset) || start > MAX_FRAME_MEMORY) return TOO_FAR
  return start + count
}

/** Zeroes [start + from, start + to) and makes sure that linear memory reaches there. False when a limit is hit. */
export function extend(start: usize, from: usize, to: usize): bool {
  if (<u64>to > MAX_FRAME_MEMORY || !reserve(start, to)) return false
  clearWords(start + from, to - from)
  return true
}

/** Makes sure that linear memory reaches `length` bytes from `start`, and a little more for reads of whole words. */
export function reserve(start: usize, length: usize): bool {
  const end = start + length + 128
  if (end > MEMORY_END) return false
  const have = <u32>memory.size()
  const need = <u32>((end + 0xffff) >> PAGE_BITS)
  if (need <= have) return true
  return memory.grow(need - have + GROWTH_PAGES) != -1 || memory.grow(need - have) != -1
}

/** An offset into data, or the data's length when it is past the end. */
@inline
export function clampOffset(offset: usize, length: u32): u32 {
  return isSmall(offset) && load<u64>(offset) < <u64>length ? <u32>load<u64>(offset) : length
}

/** Copies [offset, offset + count) of some data; what is past its end is zero. */
export function copyPadded(to: usize, from: usize, length: u32, offset: u32, count: u32): void {
  const available = length - offset
  if (available >= count) {
    copyBytes(to, from + offset, count)
  } else {
    copyBytes(to, from + offset, available)
    memory.fill(to + available, 0, count - available)
  }
}
