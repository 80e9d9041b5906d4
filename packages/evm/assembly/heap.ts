// The heap of data that is kept between runs. Only slots are freed on their own: between two runs the host empties all of it (`evict`).
import { ACCOUNT_TABLE, ACCOUNT_TABLE_BITS, CODE_TABLE, CODE_TABLE_BITS, HEAP, HEAP_END, SLOT_TABLE, SLOT_TABLE_BITS } from './layout'
import { setExhausted } from './limits'

let next: usize = HEAP
/** What is handed out when the heap is full: harmless to write, thrown away with the run. */
const OVERFLOW: usize = HEAP_END - 1024

/** The slots that were freed: each begins with where the next is. */
let freed: usize = 0

/** Zeroed memory for a slot, that of one that was freed if there is one. */
export function allocateSlot(bytes: usize): usize {
  const p = freed
  if (p == 0) return allocate(bytes)
  freed = <usize>load<u32>(p)
  memory.fill(p, 0, bytes)
  return p
}

export function freeSlot(p: usize): void {
  store<u32>(p, <u32>freed)
  freed = p
}

/** Zeroed memory; `OVERFLOW` again and again when there is no more, so only for 1024 bytes or less. */
export function allocate(bytes: usize): usize {
  const p = allocateLarge(bytes)
  if (p != 0) return p
  memory.fill(OVERFLOW, 0, 1024)
  return OVERFLOW
}

/** Zeroed memory, or 0 when there is no more. */
export function allocateLarge(bytes: usize): usize {
  const p = next
  const end = (p + bytes + 15) & ~15
  if (end > OVERFLOW) {
    setExhausted()
    return 0
  }
  next = end
  memory.fill(p, 0, bytes)
  return p
}

/** Whether a quarter of the heap stays free: what only observes runs must not take the memory that they need. */
export function hasSpare(bytes: usize): bool {
  return next - HEAP + bytes < ((HEAP_END - HEAP) >> 2) * 3
}

export function heapUsed(): usize {
  return next - HEAP
}

export function heapEnd(): usize {
  return next
}

export function evict(): void {
  next = HEAP
  freed = 0
  memory.fill(ACCOUNT_TABLE, 0, 4 << ACCOUNT_TABLE_BITS)
  memory.fill(CODE_TABLE, 0, 4 << CODE_TABLE_BITS)
  memory.fill(SLOT_TABLE, 0, 4 << SLOT_TABLE_BITS)
}
