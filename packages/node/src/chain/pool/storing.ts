import type { Word } from '@understudy/evm'
import type { MiningControl } from '../sealing/mining.ts'
import type { Pool } from './pool.ts'

type Needs = { mining: Pick<MiningControl, 'store'>; pool: Pool }

/** Returns what makes a transaction of the pool durable. It is refused if that fails. */
export function createStoring({ mining, pool }: Needs): (hash: Word) => void {
  /** What is waited for, and for which transactions: those that share a commit need not each wait. */
  let storing: { done: Promise<void>; hashes: Word[] } | undefined

  function refuseUnstored(hash: Word, error: unknown): void {
    const entry = pool.get(hash)
    if (!entry || entry.stored) return
    pool.remove(entry)
    entry.settle({ type: 'refused', error })
  }

  return (hash) => {
    const done = mining.store()
    if (storing?.done === done) {
      storing.hashes.push(hash)
      return
    }
    const hashes = [hash]
    storing = { done, hashes }
    done.catch((error) => {
      for (const each of hashes) refuseUnstored(each, error)
    })
  }
}
