// BLOCKHASH: the hashes of the 256 blocks before this one.
import { markRead, NUMBER, Read } from './context'
import * as host from './host'
import { EXCHANGE } from './layout'
import { fromBytes, isSmall, setSmall } from './words/words'

const HISTORY: u64 = 256

/** Replaces the block number at `sp` by the block's hash, or 0. */
export function blockHash(sp: usize): void {
  markRead(Read.NUMBER)
  const current = load<u64>(NUMBER)
  const wanted = load<u64>(sp)
  if (!isSmall(sp) || wanted >= current || current - wanted > HISTORY) return setSmall(sp, 0)
  host.blockHash(wanted)
  fromBytes(sp, EXCHANGE)
}
