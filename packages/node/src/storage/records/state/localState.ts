import type { Address, Hex, Word } from '@understudy/evm'
import { type Selectable, sql } from 'kysely'
import { isRing } from '../../../ethereum/systemRings.ts'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { deleteAbove, insertRows } from '../../queries/insertRows.ts'
import { runStatement } from '../../queries/runStatement.ts'
import type { Tables } from '../../schema.ts'
import { rowsOf } from '../../tables.ts'
import { addCodes } from '../activity/calls.ts'
import { loadProtocolSlots } from '../chain/blockRuns.ts'

/** The local fields of an account; `undefined` for fields that are not local. */
export type LocalAccountRecord = {
  balance: bigint | undefined
  nonce: bigint | undefined
  codeHash: Word | undefined
  /** The change that cleared its storage, if any. */
  storageSeq: number | undefined
}

/** The versions of one change. A slot value of `undefined` means that the slot is no longer local. */
export type StateVersions = {
  accounts: Map<Address, LocalAccountRecord>
  slots: Map<Address, Map<Word, bigint | undefined>>
  codes: Map<Word, Uint8Array>
}

/** The position in its block of what wrote a slot last; see `slot_versions`. */
export type SlotPositions = { last(address: Address, slot: Word): number | undefined }

/** Keys per statement: the event loop waits for one. */
const chunkSize = 1000

/** Of the requested accounts, those with local fields at `seq`. */
export async function loadLocalAccounts(
  queries: Queries,
  addresses: readonly Address[],
  seq: number,
): Promise<Map<Address, LocalAccountRecord>> {
  const found = new Map<Address, LocalAccountRecord>()
  for (const chunk of chunks(addresses)) {
    const values = [...valuesOfWanted(chunk), seq]
    // A cross join keeps this order: the other one would scan every version of an account.
    const rows = await runStatement<Selectable<Tables['account_versions']>>(queries, 'loadLocalAccounts', values, () =>
      sql`${withWanted(chunk)}
        select version.* from wanted cross join ${rowsOf('account_versions', 'version')}
        where version.address = key and version.seq =
          (select seq from ${rowsOf('account_versions')} where address = key and seq <= ${seq} order by seq desc limit 1)`.compile(
        queries,
      ),
    )
    for (const row of rows) found.set(value.address(row.address), accountOf(row))
  }
  return found
}

function accountOf(row: Selectable<Tables['account_versions']>): LocalAccountRecord {
  return {
    balance: row.balance === null ? undefined : value.bigint(row.balance),
    nonce: row.nonce === null ? undefined : value.bigint(row.nonce),
    codeHash: row.code_hash === null ? undefined : value.word(row.code_hash),
    storageSeq: row.storage_seq ?? undefined,
  }
}

/** Of these accounts, those that have or had local slots. */
export async function loadAddressesWithSlots(queries: Queries, addresses: readonly Address[]): Promise<Set<Address>> {
  const found = new Set<Address>()
  for (const chunk of chunks(addresses)) {
    const values = valuesOfWanted(chunk)
    const rows = await runStatement<{ address: Uint8Array }>(queries, 'loadAddressesWithSlots', values, () =>
      sql`${withWanted(chunk)}
        select key as address from wanted
        where exists (select 1 from ${rowsOf('slot_versions')} where slot_versions.address = key)`.compile(queries),
    )
    for (const row of rows) found.add(value.address(row.address))
  }
  return found
}

type SlotRow = Pick<Selectable<Tables['slot_versions']>, 'slot' | 'seq' | 'value'>

/** Of the requested slots of an account, those that are local at `seq`; versions older than `storageSeq` are void. */
export async function loadLocalSlots(
  queries: Queries,
  address: Address,
  slots: readonly Word[],
  seq: number,
  storageSeq: number | undefined,
): Promise<Map<Word, bigint>> {
  const found = new Map<Word, bigint>()
  const derived = isRing(address) ? (await loadProtocolSlots(queries, seq, new Set(slots))).get(address) : undefined
  for (const slot of slots) {
    const version = derived?.get(slot)
    if (version && version.seq >= (storageSeq ?? 0)) found.set(slot, version.value)
  }
  for (const chunk of chunks(slots)) {
    const bytes = column.hex(address)
    const values = [...valuesOfWanted(chunk), bytes, bytes, seq, storageSeq ?? 0]
    const rows = await runStatement<SlotRow>(queries, 'loadLocalSlots', values, () =>
      sql`${withWanted(chunk)}
        select version.slot, version.seq, version.value from wanted cross join ${rowsOf('slot_versions', 'version')}
        where version.address = ${bytes} and version.slot = key and version.seq =
          (select seq from ${rowsOf('slot_versions')} where address = ${bytes} and slot = key and seq <= ${seq}
            order by seq desc limit 1)
          and version.seq >= ${storageSeq ?? 0}`.compile(queries),
    )
    for (const row of rows) {
      const slot = value.word(row.slot)
      if (row.seq < (derived?.get(slot)?.seq ?? 0)) continue
      if (row.value === null) found.delete(slot)
      else found.set(slot, value.bigint(row.value))
    }
  }
  return found
}

/**
 * The writes of each change after `seq`, up to the change `last`, in order; `undefined` if they have more than `limit`
 * rows.
 */
export async function loadVersionsSince(
  queries: Queries,
  seq: number,
  last: number,
  limit: number,
): Promise<{ seq: number; versions: Omit<StateVersions, 'codes'> }[] | undefined> {
  const bounds = { above: seq, upTo: last, limit: limit + 1 }
  const accounts = await loadRowsBetween(queries, 'account_versions', bounds)
  const slots = await loadRowsBetween(queries, 'slot_versions', bounds)
  if (accounts.length + slots.length > limit) return undefined
  const changes = new Map<number, Omit<StateVersions, 'codes'>>()
  const changeOf = (number: number) => {
    const change = changes.get(number) ?? { accounts: new Map(), slots: new Map() }
    changes.set(number, change)
    return change
  }
  for (const row of accounts) changeOf(row.seq).accounts.set(value.address(row.address), accountOf(row))
  for (const row of slots) {
    const { slots: written } = changeOf(row.seq)
    const address = value.address(row.address)
    const ofAccount = written.get(address) ?? new Map<Word, bigint | undefined>()
    ofAccount.set(value.word(row.slot), row.value === null ? undefined : value.bigint(row.value))
    written.set(address, ofAccount)
  }
  return [...changes].sort(([a], [b]) => a - b).map(([number, versions]) => ({ seq: number, versions }))
}

/** The accounts that the changes after `seq` up to `last` wrote, at most `limit`. */
export async function loadChangedAccounts(
  queries: Queries,
  seq: number,
  last: number,
  limit: number,
): Promise<Address[]> {
  const query = sql<{ address: Uint8Array }>`
    select address from ${rowsOf('account_versions')} where seq > ${seq} and seq <= ${last}
    union select address from ${rowsOf('slot_versions')} where seq > ${seq} and seq <= ${last} order by address limit ${limit}`
  const { rows } = await query.execute(queries)
  return rows.map(({ address }) => value.address(address))
}

function loadRowsBetween<Table extends 'account_versions' | 'slot_versions'>(
  queries: Queries,
  table: Table,
  { above, upTo, limit }: { above: number; upTo: number; limit: number },
): Promise<Selectable<Tables[Table]>[]> {
  const query = sql<Selectable<Tables[Table]>>`
    select * from ${rowsOf(table)} where seq > ${above} and seq <= ${upTo} limit ${limit}`
  return query.execute(queries).then(({ rows }) => rows)
}

/** Every slot of an account with a value, with its change number: those older than `storageSeq` are void. */
export async function loadWrittenSlots(queries: Queries, address: Address): Promise<{ slot: Word; seq: number }[]> {
  const bytes = column.hex(address)
  // Skips from slot to slot along the key, because a slot may have a version for each block.
  const { rows } = await sql<Pick<Selectable<Tables['slot_versions']>, 'slot' | 'seq'>>`
    with recursive written(slot) as (
      select (select slot from ${rowsOf('slot_versions')} where address = ${bytes} order by slot limit 1)
      union all
      select (select slot from ${rowsOf('slot_versions')} where address = ${bytes} and slot > written.slot order by slot limit 1)
      from written where written.slot is not null)
    select version.slot, version.seq from written cross join ${rowsOf('slot_versions', 'version')}
    where version.address = ${bytes} and version.slot = written.slot and version.seq =
      (select seq from ${rowsOf('slot_versions')} where address = ${bytes} and slot = written.slot order by seq desc limit 1)
      and version.value is not null`.execute(queries)
  return rows.map(({ slot, seq }) => ({ slot: value.word(slot), seq }))
}

/** The `seq` of the newest version of a slot, in a query of `slot_versions as version`. */
export const newestSlotSeq = sql<number>`(select newest.seq from ${rowsOf('slot_versions', 'newest')}
  where newest.address = version.address and newest.slot = version.slot order by newest.seq desc limit 1)`

/** The current local slots of an account, in order, at most `limit` after `after`. */
export async function loadLocalSlotPage(
  queries: Queries,
  address: Address,
  storageSeq: number | undefined,
  { limit, after }: { limit: number; after: Word | undefined },
): Promise<Word[]> {
  let query = queries
    .selectFrom('slot_versions as version')
    .select('slot')
    .where('address', '=', column.hex(address))
    .where('value', 'is not', null)
    .where('seq', '>=', storageSeq ?? 0)
    .where('seq', '=', newestSlotSeq)
  if (after) query = query.where('slot', '>', column.hex(after))
  const rows = await query.orderBy('slot').limit(limit).execute()
  return rows.map(({ slot }) => value.word(slot))
}

export async function loadLocalCode(queries: Queries, hash: Word): Promise<Uint8Array | undefined> {
  const bytes = column.hex(hash)
  const [row] = await runStatement<Pick<Selectable<Tables['codes']>, 'code'>>(queries, 'loadLocalCode', [bytes], () =>
    queries.selectFrom('codes').select('code').where('hash', '=', bytes).compile(),
  )
  return row && value.bytes(row.code)
}

/** The accounts with local code. */
export async function loadLocalCodeHashes(queries: Queries): Promise<{ address: Address; codeHash: Word }[]> {
  const rows = await queries
    .selectFrom('account_versions as version')
    .select(['address', 'code_hash'])
    .where('code_hash', 'is not', null)
    .where('seq', '=', (select) =>
      select
        .selectFrom('account_versions as newest')
        .select('newest.seq')
        .whereRef('newest.address', '=', 'version.address')
        .orderBy('newest.seq', 'desc')
        .limit(1),
    )
    .execute()
  return rows.flatMap(({ address, code_hash }) =>
    code_hash === null ? [] : [{ address: value.address(address), codeHash: value.word(code_hash) }],
  )
}

/** Stores changes, each under its number. */
export async function saveVersions(
  queries: Queries,
  changes: readonly { number: number; versions: StateVersions; writers?: SlotPositions | undefined }[],
): Promise<void> {
  const codes = changes.flatMap(({ versions }) => [...versions.codes])
  const accounts = changes.flatMap(({ number, versions }) =>
    [...versions.accounts].map(([address, account]) => ({
      address: column.hex(address),
      seq: number,
      balance: account.balance === undefined ? null : column.number(account.balance),
      nonce: account.nonce === undefined ? null : column.number(account.nonce),
      code_hash: account.codeHash === undefined ? null : column.hex(account.codeHash),
      storage_seq: account.storageSeq ?? null,
    })),
  )
  const slots = changes.flatMap(({ number, versions, writers }) =>
    [...versions.slots].flatMap(([address, values]) => {
      const bytes = column.hex(address)
      return [...values].map(([slot, word]) => ({
        address: bytes,
        slot: column.hex(slot),
        seq: number,
        value: word === undefined ? null : column.number(word),
        position: writers?.last(address, slot) ?? null,
      }))
    }),
  )
  await addCodes(queries, new Map(codes))
  await insertRows(queries, 'account_versions', accounts)
  await insertRows(queries, 'slot_versions', slots)
}

/** Slots that a wipe keeps. */
export type KeptSlots = ReadonlyMap<Address, ReadonlySet<Word>>

/**
 * Stores, under the number `seq`, that only the kept slots are still local; returns the number of cleared values. What the
 * wiping change has `written` itself gets no row.
 */
export async function wipeVersions(
  queries: Queries,
  seq: number,
  keep: KeptSlots,
  written: Pick<StateVersions, 'accounts' | 'slots'>,
): Promise<{ accounts: number; slots: number; codes: number }> {
  const isLocalAccount = sql<boolean>`seq = (select newest.seq from ${rowsOf('account_versions', 'newest')}
      where newest.address = version.address order by newest.seq desc limit 1)
    and (balance is not null or nonce is not null or code_hash is not null or storage_seq is not null)`
  const isLocalSlot = sql<boolean>`value is not null and seq = ${newestSlotSeq}`
  const localAccounts = queries.selectFrom('account_versions as version').where(isLocalAccount)
  const localSlots = queries.selectFrom('slot_versions as version').where(isLocalSlot)
  const accounts = await localAccounts
    .select(({ fn }) => [fn.countAll<number>().as('total'), fn.count<number>('code_hash').as('codes')])
    .executeTakeFirst()
  const slots = await localSlots.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst()
  const change = sql<number>`cast(${seq} as bigint)`.as('change')
  await queries
    .insertInto('account_versions')
    .columns(['address', 'seq'])
    .expression(localAccounts.select(['address', change]))
    .execute()
  await queries
    .insertInto('slot_versions')
    .columns(['address', 'slot', 'seq'])
    .expression(localSlots.select(['address', 'slot', change]))
    .execute()
  let kept = 0
  for (const [address, words] of keep) kept += await removeSlotVersions(queries, seq, address, words)
  // After as many blocks as it remembers, the protocol writes the same slots again (EIP-2935, EIP-4788).
  for (const [address, values] of written.slots) await removeSlotVersions(queries, seq, address, values.keys())
  for (const chunk of chunks([...written.accounts.keys()]))
    await queries
      .deleteFrom('account_versions')
      .where('seq', '=', seq)
      .where('address', 'in', chunk.map(column.hex))
      .execute()
  return {
    accounts: Number(accounts?.total ?? 0),
    slots: Number(slots?.total ?? 0) - kept,
    codes: Number(accounts?.codes ?? 0),
  }
}

/** Deletes what a change has stored for slots of an account. Returns how many had a row. */
async function removeSlotVersions(
  queries: Queries,
  seq: number,
  address: Address,
  slots: Iterable<Word>,
): Promise<number> {
  let count = 0
  for (const chunk of chunks([...slots])) {
    const removed = await queries
      .deleteFrom('slot_versions')
      .where('seq', '=', seq)
      .where('address', '=', column.hex(address))
      .where('slot', 'in', chunk.map(column.hex))
      .returning('slot')
      .execute()
    count += removed.length
  }
  return count
}

/** Deletes every version newer than `seq`. */
export async function removeVersionsAfter(queries: Queries, seq: number): Promise<void> {
  await deleteAbove(queries, 'account_versions', 'seq', seq)
  await deleteAbove(queries, 'slot_versions', 'seq', seq)
  await deleteAbove(queries, 'state_causes', 'seq', seq)
}

export function* chunks<T>(items: readonly T[], size = chunkSize): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}

/**
 * A table `wanted` with the column `key`. All keys have the same length, and are bound as one value: a statement with
 * a thousand values takes longer to build than to run.
 */
export function withWanted(keys: readonly Hex[]) {
  const [count, bytes] = valuesOfWanted(keys)
  const size = sql.lit(bytes.length / keys.length)
  return sql`with recursive indexes (n) as (select 0 union all select n + 1 from indexes where n + 1 < ${count}),
    wanted (key) as (select substr(${bytes}, n * ${size} + 1, ${size}) from indexes)`
}

/** What a statement with such a table binds for it, in order. */
const valuesOfWanted = (keys: readonly Hex[]): [count: number, keys: Uint8Array] => [
  keys.length,
  column.hex(`0x${keys.map((key) => key.slice(2)).join('')}`),
]
