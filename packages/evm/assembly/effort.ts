/**
 * Work that takes longer than its gas says, counted in gas: the interpreter looks at the clock of the host after so much gas. What
 * it calls adds to it.
 */
let effort: i64 = 0

@inline
export function addEffort(gas: i64): void {
  effort += gas
}

/** So many bytes, as a power of two, are copied in the time of one gas. */
export const COPY_BITS: u32 = 4

/** The effort since the last call. */
@inline
export function takeEffort(): i64 {
  const taken = effort
  effort = 0
  return taken
}
