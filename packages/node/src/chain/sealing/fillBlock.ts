import type { PoolEntry } from '../pool/pool.ts'
import type { BlockBuilder } from './blockBuilder.ts'

/** Entries of the pool in the order in which they run; `skip` leaves out the rest of a sender's. */
type Entries = Generator<PoolEntry, void, 'skip' | undefined>

/** Runs everything that fits into an open block. Returns what ran; `execute` is false for what cannot be in the block. */
export async function fillBlock(
  builder: BlockBuilder,
  entries: Entries,
  execute: (entry: PoolEntry) => Promise<boolean>,
): Promise<PoolEntry[]> {
  const executed: PoolEntry[] = []
  for (let step = entries.next(); !step.done; ) {
    const entry = step.value
    if (builder.fits(entry.transaction) && (await execute(entry))) {
      executed.push(entry)
      step = entries.next()
    } else step = entries.next('skip')
  }
  return executed
}
