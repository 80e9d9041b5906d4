import type { Address, Word } from '@understudy/evm'
import { value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { newestSlotSeq } from './localState.ts'

/** All current local state, by account. */
export type LocalDump = Map<Address, Map<Word, bigint>>

/** `undefined` if there are more than `limit` accounts and slots. */
export async function loadLocalDump(queries: Queries, limit: number): Promise<LocalDump | undefined> {
  const accounts = await queries
    .selectFrom('account_versions as version')
    .select(['address', 'balance', 'nonce', 'code_hash', 'storage_seq'])
    .where('seq', '=', (select) =>
      select
        .selectFrom('account_versions as newest')
        .select((newest) => newest.fn.max('newest.seq').as('seq'))
        .whereRef('newest.address', '=', 'version.address'),
    )
    .limit(limit + 1)
    .execute()
  const slots = await queries
    .selectFrom('slot_versions as version')
    .select(['address', 'slot', 'seq', 'value'])
    .where('value', 'is not', null)
    .where('seq', '=', newestSlotSeq)
    .limit(limit + 1)
    .execute()
  if (accounts.length + slots.length > limit) return undefined
  const dump: LocalDump = new Map()
  const emptiedAt = new Map<Address, number>()
  for (const { address, balance, nonce, code_hash, storage_seq } of accounts) {
    const key = value.address(address)
    if (storage_seq !== null) emptiedAt.set(key, storage_seq)
    const isLocal = balance !== null || nonce !== null || code_hash !== null || storage_seq !== null
    if (isLocal) dump.set(key, new Map())
  }
  for (const { address, slot, seq, value: stored } of slots) {
    const key = value.address(address)
    if (stored === null || seq < (emptiedAt.get(key) ?? 0)) continue
    const words = dump.get(key) ?? new Map<Word, bigint>()
    dump.set(key, words.set(value.word(slot), value.bigint(stored)))
  }
  return dump
}
