/**
 * Work that takes longer than its gas says, counted in gas: the interpreter makes a pause check after so much gas. What
 * it calls adds to it.
 */
let extraWork: i64 = 0

@inline
export function addExtraWork(gas: i64): void {
  extraWork += gas
}

/** So many bytes, as a power of two, are copied in the time of one gas. */
export const COPY_BITS: u32 = 4

/** The extra work since the last call. */
@inline
export function takeExtraWork(): i64 {
  const taken = extraWork
  extraWork = 0
  return taken
}
