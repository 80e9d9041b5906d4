import type { Address, Hex, Word } from '@understudy/evm'
import { keccak } from '../../shared/keccak.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Database } from '../../storage/database.ts'
import {
  addLiveAnswers,
  loadLiveAnswers,
  removeLiveAnswers,
  trimLiveAnswers,
} from '../../storage/records/upstream/liveAnswers.ts'
import type { Base } from '../wantedState.ts'
import type { LiveAnswer } from './baseState.ts'

/** What contracts of the live chain answered at blocks, as it is stored: each answer holds for its block alone. */
export type StoredAnswers = {
  /** Those that are stored of some keys. Never rejects. */
  load(block: Base, keys: readonly Word[]): Promise<ReadonlyMap<Word, LiveAnswer>>
  /** Stores answers soon, so that a later start has them, and a transaction that used them can be run again. */
  add(block: Base, answers: ReadonlyMap<Word, LiveAnswer>): void
  clear(): Promise<void>
  /** Waits for what is being stored. */
  stop(): Promise<void>
}

/** Bytes of answers that are stored; those of the oldest blocks go first. */
const storedLimit = 32 * 1024 * 1024
/** Bytes that are added before the others are counted. */
const trimEvery = 4 * 1024 * 1024

export const keyOf = (address: Address, input: Hex): Word => keccak(Buffer.from(address + input))

type Needs = {
  database: Database
  logger: Logger
  /** Mends damaged tables. */
  repairing(work: () => Promise<void>): Promise<void>
  isStored(): boolean
}

export function createStoredAnswers({ database, logger, repairing, isStored }: Needs): StoredAnswers {
  let storing: Promise<unknown> = Promise.resolve()
  let addedBytes = trimEvery

  async function store(block: Base, answers: ReadonlyMap<Word, LiveAnswer>): Promise<void> {
    const records = [...answers].map(([key, { output, isReverted = false }]) => ({
      blockHash: block.hash,
      blockNumber: Number(block.number),
      key,
      output,
      isReverted,
    }))
    addedBytes += records.reduce((bytes, { output }) => bytes + output.length, 0)
    const { withoutFlush = database.transaction } = database
    await repairing(() =>
      withoutFlush(async (transaction) => {
        await addLiveAnswers(transaction, records)
        if (addedBytes < trimEvery) return
        addedBytes = 0
        await trimLiveAnswers(transaction, storedLimit)
      }),
    )
  }

  return {
    async load(block, keys) {
      const found = new Map<Word, LiveAnswer>()
      try {
        await repairing(async () => {
          for (const { key, output, isReverted } of await loadLiveAnswers(database.queries, block.hash, keys))
            found.set(key, { output, isReverted })
        })
      } catch (error) {
        logger.debug({ err: error }, 'Could not load stored answers of the live chain')
      }
      return found
    },
    add(block, answers) {
      if (answers.size === 0 || !isStored()) return
      storing = storing
        .then(() => store(block, answers))
        .catch((error) => logger.debug({ err: error }, 'Could not store answers of the live chain'))
    },
    async clear() {
      await repairing(() => database.transaction(removeLiveAnswers))
    },
    async stop() {
      await storing
    },
  }
}
