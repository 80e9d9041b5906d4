// What must be put back when a frame reverts: old values and where they were.
import { addExtraWork } from '../extraWork'
import { JOURNAL, JOURNAL_END } from '../layout'
import { setExhausted } from '../limits'
import { copy } from '../words/words'

const enum Kind {
  WORD = 0,
  U32 = 1,
  U64 = 2,
}

/** Where the value was, its kind, the value. */
const RECORD: usize = 40

/** The end of the journal; a frame remembers it when it starts. */
export let journal: usize = JOURNAL

export function clearJournal(): void {
  journal = JOURNAL
}

@inline
function append(p: usize, kind: u32): usize {
  const record = journal
  if (record + RECORD > JOURNAL_END) {
    setExhausted()
    return record - RECORD
  }
  store<u32>(record, <u32>p)
  store<u32>(record, kind, 4)
  journal = record + RECORD
  return record
}

export function keepWord(p: usize): void {
  copy(append(p, Kind.WORD) + 8, p)
}

export function keepU32(p: usize): void {
  store<u32>(append(p, Kind.U32), load<u32>(p), 8)
}

export function keepU64(p: usize): void {
  store<u64>(append(p, Kind.U64), load<u64>(p), 8)
}

/** Puts back everything that was kept since `mark`, last first. */
export function revertTo(mark: usize): void {
  let record = journal
  addExtraWork((record - mark) >> 1)
  while (record > mark) {
    record -= RECORD
    const p = <usize>load<u32>(record)
    const kind = load<u32>(record, 4)
    if (kind == Kind.WORD) copy(p, record + 8)
    else if (kind == Kind.U32) store<u32>(p, load<u32>(record, 8))
    else store<u64>(p, load<u64>(record, 8))
  }
  journal = mark
}
