// An entry of a hash table of words that belong to an owner: storage or transient storage.
import { equal } from '../words/words'

@unmanaged
export class Entry {
  next: u32
  owner: u32
  key0: u64
  key1: u64
  key2: u64
  key3: u64
  value0: u64
  value1: u64
  value2: u64
  value3: u64

  @inline get key(): usize {
    return changetype<usize>(this) + offsetof<Entry>('key0')
  }
  @inline get value(): usize {
    return changetype<usize>(this) + offsetof<Entry>('value0')
  }
}

/** The entry of a key in the chain that begins at `p`; 0: there is none. */
export function findEntry(p: usize, owner: u32, key: usize): usize {
  while (p != 0) {
    const entry = changetype<Entry>(p)
    if (entry.owner == owner && equal(entry.key, key)) return p
    p = entry.next
  }
  return 0
}
