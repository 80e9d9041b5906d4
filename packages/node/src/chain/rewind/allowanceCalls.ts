import type { Message, Word } from '@understudy/evm'
import { createBoundedCache } from '../../shared/caches.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import type { Logger } from '../../shared/logger.ts'
import type { LoadingView } from '../../state/view.ts'
import type { Database } from '../../storage/database.ts'
import { addMappingKeys } from '../../storage/records/activity/mappingKeys.ts'
import { allowanceKey, allowanceKeys, permit2 } from './permit2.ts'

/**
 * The allowances of Permit2 that clients read with a call. A slot that was written directly is known to be an allowance only
 * by such a call.
 */
export type AllowanceCalls = {
  /** Notes what a call reads. */
  note(message: Pick<Message, 'to' | 'data'>): void
  /** The slots of the allowances for these spenders, which are words. */
  slotsFor(spenders: readonly Word[]): Word[]
}

type Needs = {
  /** Nodes that do not seal answer calls too. */
  sideConnection: Pick<Database, 'transaction'>
  latest(): LoadingView
  headNumber(): bigint
  logger: Logger
}

/** Number of remembered allowances. Those that are local are also stored. */
const limit = 10_000
/** `allowance(address,address,address)`. */
const selector = '0x927da105'

export function createAllowanceCalls({ sideConnection, latest, headNumber, logger }: Needs): AllowanceCalls {
  const spenders = createBoundedCache<Word, Word>(limit)
  const stored = createBoundedCache<Word, true>(limit)

  async function store(slot: Word, [owner, token, spender]: readonly [Word, Word, Word]): Promise<void> {
    try {
      if (!(await latest().hasLocalSlot?.(permit2, [slot]))) return
      const blockNumber = headNumber()
      const records = allowanceKeys(owner, token, spender).map((key) => ({ address: permit2, ...key, blockNumber }))
      await sideConnection.transaction((queries) => addMappingKeys(queries, records))
      stored.set(slot, true)
    } catch (error) {
      logger.debug({ err: error }, 'Could not store the keys of an allowance')
    }
  }

  return {
    note({ to, data }) {
      if (to !== permit2 || data.length !== 100) return
      const text = hexFromBytes(data)
      if (!text.startsWith(selector)) return
      const [owner, token, spender] = [0, 1, 2].map((at): Word => `0x${text.slice(10 + 64 * at, 74 + 64 * at)}`)
      if (!owner || !token || !spender) return
      const slot = allowanceKey(owner, token, spender)
      spenders.set(slot, spender)
      if (!stored.has(slot)) void store(slot, [owner, token, spender])
    },
    slotsFor: (wanted) => [...spenders].flatMap(([slot, spender]) => (wanted.includes(spender) ? [slot] : [])),
  }
}
