// Transient storage (EIP-1153), emptied before every run.
import { Account, run } from './accounts'
import { Entry, findEntry } from './entry'
import { hashWord } from '../crypto/hash'
import { keepWord } from './journal'
import { TRANSIENT, TRANSIENT_END, TRANSIENT_TABLE, TRANSIENT_TABLE_BITS } from '../layout'
import { setExhausted } from '../limits'
import { copy, set } from '../words/words'

let next: usize = TRANSIENT

export function clearTransient(): void {
  next = TRANSIENT
}

export function transientEnd(): usize {
  return next
}

/** The bucket of a key: the first entry of its chain, and the run that it belongs to. */
@inline
function bucketOf(account: Account, key: usize): usize {
  return TRANSIENT_TABLE + (hashWord(key, changetype<usize>(account), TRANSIENT_TABLE_BITS) << 3)
}

function find(bucket: usize, account: Account, key: usize): usize {
  if (load<u32>(bucket, 4) != run) return 0
  return findEntry(<usize>load<u32>(bucket), <u32>changetype<usize>(account), key)
}

/** Replaces the key at `sp` by the value. */
export function tload(account: Account, sp: usize): void {
  const p = find(bucketOf(account, sp), account, sp)
  if (p != 0) copy(sp, changetype<Entry>(p).value)
  else set(sp, 0, 0, 0, 0)
}

/** The key is at `sp`, the value above. */
export function tstore(account: Account, sp: usize): void {
  const bucket = bucketOf(account, sp)
  let p = find(bucket, account, sp)
  if (p == 0) {
    p = next
    if (p + offsetof<Entry>() > TRANSIENT_END) return setExhausted()
    next = p + offsetof<Entry>()
    const entry = changetype<Entry>(p)
    entry.next = load<u32>(bucket, 4) == run ? load<u32>(bucket) : 0
    entry.owner = <u32>changetype<usize>(account)
    copy(entry.key, sp)
    set(entry.value, 0, 0, 0, 0)
    store<u32>(bucket, <u32>p)
    store<u32>(bucket, run, 4)
  }
  const entry = changetype<Entry>(p)
  keepWord(entry.value)
  copy(entry.value, sp + 32)
}
