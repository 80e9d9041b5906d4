// Short copies and fills: below some length a loop is faster than leaving for the runtime's own.

const SHORT: usize = 160

/** Copies bytes between regions that do not overlap. */
export function copyBytes(to: usize, from: usize, length: usize): void {
  if (length > SHORT) return memory.copy(to, from, length)
  const end = to + length
  const whole = end - 7
  for (; to < whole; to += 8, from += 8) store<u64>(to, load<u64>(from))
  for (; to < end; to++, from++) store<u8>(to, load<u8>(from))
}

/** Zeroes whole words. */
export function clearWords(p: usize, length: usize): void {
  if (length > 8 * SHORT) return memory.fill(p, 0, length)
  const end = p + length
  for (; p < end; p += 32) {
    store<u64>(p, 0)
    store<u64>(p, 0, 8)
    store<u64>(p, 0, 16)
    store<u64>(p, 0, 24)
  }
}
