// Which parts of linear memory a paused message needs to go on; together with all globals, that is the whole of it.
import { heapEnd } from '../heap'
import { returnLength } from '../frames'
import { pausedFrame } from '../interpreter'
import {
  EXCHANGE,
  HASH_CACHE,
  HEAP,
  INPUT,
  JOURNAL,
  LOGS,
  MEMORY,
  PREIMAGES,
  RECORD_BYTES,
  RECORDS,
  RETURN_DATA,
  STACK_TOP,
  TRANSIENT,
  TRANSIENT_TABLE,
  TRANSIENT_TABLE_BITS,
} from '../layout'
import { logsEnd } from '../logs'
import { recordBytesEnd, recordsEnd } from '../records'
import { journal } from './journal'
import { preimagesEnd } from './preimages'
import { transientEnd } from './transient'

let listed: u32 = 0

function list(from: usize, to: usize): void {
  store<u32>(EXCHANGE + (listed << 3), <u32>from)
  store<u32>(EXCHANGE + (listed << 3), <u32>to, 4)
  listed++
}

/** Writes from where to where each region is in use to EXCHANGE, and answers how many there are. What is memorised is left out. */
export function listRegions(inputLength: u32): u32 {
  listed = 0
  list(0, HASH_CACHE)
  list(PREIMAGES, preimagesEnd)
  list(TRANSIENT_TABLE, TRANSIENT_TABLE + (8 << TRANSIENT_TABLE_BITS))
  list(<usize>pausedFrame.sp, STACK_TOP)
  list(JOURNAL, journal)
  list(LOGS, logsEnd)
  list(RECORDS, recordsEnd)
  list(RECORD_BYTES, recordBytesEnd)
  list(RETURN_DATA, RETURN_DATA + returnLength)
  list(INPUT, INPUT + inputLength)
  list(TRANSIENT, transientEnd())
  list(HEAP, heapEnd())
  list(MEMORY, <usize>pausedFrame.memory + pausedFrame.memorySize)
  return listed
}
