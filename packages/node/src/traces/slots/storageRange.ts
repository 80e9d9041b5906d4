import type { Address, TracedRun, Word } from '@understudy/evm'
import type { History } from '../../chain/history/history.ts'
import { NetworkError } from '../../shared/errors.ts'
import { bytesFromHex, wordFromBigint } from '../../shared/hex.ts'
import { keccak } from '../../shared/keccak.ts'
import { yieldToEventLoop } from '../../shared/yieldToEventLoop.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import { loadSlots } from '../../state/view.ts'
import type { Traces } from '../traces.ts'

/** A part of an account's storage, in order of the hashes of its slots. */
export type StorageRange = {
  /** By the hash of the slot. */
  storage: Record<Word, { key: Word; value: Word }>
  /** The hash of the slot after the last one; `null` if there is none. */
  nextKey: Word | null
}

/** `start`: the lowest hash of a slot. */
export type StorageRangeQuery = {
  address: Address
  block: BlockTag
  transactionIndex: bigint
  start: Word
  limit: number
}

type Needs = {
  history: Pick<History, 'resolve'>
  traces: Pick<Traces, 'ask' | 'runBefore'>
  /** The slots of an account that were written here, or are in memory; more than `limit` if there are more. */
  loadKnownSlots(address: Address, limit: number): Promise<Iterable<Word>>
}

/** Maximum number of slots of one account: each is hashed to find its position. */
const slotLimit = 20_000
/** How many are hashed, or loaded, before others are served. */
const chunk = 1_000

const [sload, sstore] = [0x54, 0x55]

/**
 * Reads the storage of an account before a transaction. A slot is listed if it is known: it was written here, is in the cache
 * of the live chain, or the transaction uses it. Upstream lists all, of its own blocks, where it can.
 */
export function createStorageRanges({ history, traces, loadKnownSlots }: Needs) {
  return async ({ address, block, transactionIndex, start, limit }: StorageRangeQuery): Promise<StorageRange> => {
    const { origin, hash } = await history.resolve(block)
    const there =
      origin === 'upstream'
        ? await traces.ask('debug_storageRangeAt', [hash, Number(transactionIndex), address, start, limit])
        : undefined
    if (isRange(there)) return there
    const { view, run } = await traces.runBefore({ hash }, transactionIndex)
    const slots = new Set([
      ...(await loadKnownSlots(address, slotLimit)),
      ...(view.diff.slots.get(address)?.keys() ?? []),
      ...(run ? await slotsUsedIn(run, address) : []),
    ])
    if (slots.size > slotLimit)
      throw new NetworkError('LIMIT_EXCEEDED', { what: `the known slots of ${address}`, limit: slotLimit })
    const hashed = await hashedFrom(start, slots)
    return rangeOf(hashed, limit, (some) => loadSlots(view, address, some))
  }
}

/** The slots of an account that a run reads or writes. */
async function slotsUsedIn(run: TracedRun, address: Address): Promise<Set<Word>> {
  const used = new Set<Word>()
  await run.replay({
    steps: { operations: new Set([sload, sstore]), memory: false },
    onStep: (step) => {
      if (step.address === address) used.add(wordFromBigint(step.stack.at(-1) ?? 0n))
    },
  })
  return used
}

/** Slots with a hash from `start` on, in order of their hashes. */
async function hashedFrom(start: Word, slots: Iterable<Word>): Promise<{ hash: Word; slot: Word }[]> {
  const hashed: { hash: Word; slot: Word }[] = []
  let count = 0
  for (const slot of slots) {
    if (++count % chunk === 0) await yieldToEventLoop()
    const hash = keccak(bytesFromHex(slot))
    if (hash >= start) hashed.push({ hash, slot })
  }
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1))
}

/** The first slots that are not zero. */
async function rangeOf(
  hashed: readonly { hash: Word; slot: Word }[],
  limit: number,
  load: (slots: readonly Word[]) => Promise<ReadonlyMap<Word, bigint>>,
): Promise<StorageRange> {
  const storage: StorageRange['storage'] = {}
  let count = 0
  for (let first = 0; first < hashed.length; first += chunk) {
    const part = hashed.slice(first, first + chunk)
    const values = await load(part.map(({ slot }) => slot))
    for (const { hash, slot } of part) {
      const value = values.get(slot) ?? 0n
      if (value === 0n) continue
      if (count++ === limit) return { storage, nextKey: hash }
      storage[hash] = { key: slot, value: wordFromBigint(value) }
    }
  }
  return { storage, nextKey: null }
}

const isRange = (answer: unknown): answer is StorageRange =>
  typeof answer === 'object' && answer !== null && 'storage' in answer
