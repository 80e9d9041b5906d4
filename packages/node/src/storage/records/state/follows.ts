import type { Address, Word } from '@understudy/evm'
import type { ExpressionBuilder, Selectable } from 'kysely'
import { column, value } from '../../bytes.ts'
import type { Queries } from '../../database.ts'
import { deleteAbove, type NumberColumn, tablesAbove } from '../../queries/insertRows.ts'
import { runStatement } from '../../queries/runStatement.ts'
import type { Tables } from '../../schema.ts'

/** A followed slot, or a followed account if there is no slot. */
export type FollowRecord = { address: Address; slot: Word | undefined }

/** A token and a holder. */
export type TokenHolder = { token: Address; holder: Address }

/** A token balance that is followed, and the followed slot that has it: `address` is the contract that stores it. */
export type FollowedBalance = TokenHolder & { address: Address; slot: Word }

const slotColumn = (slot: Word | undefined) => (slot === undefined ? new Uint8Array() : column.hex(slot))

const heldAfter = (seq: number) => (row: ExpressionBuilder<Tables, 'follows' | 'followed_balances'>) =>
  row.and([row('from_seq', '<=', seq), row.or([row('until_seq', 'is', null), row('until_seq', '>', seq)])])

/** What was followed after the change `seq`. */
export async function loadFollows(queries: Queries, seq: number): Promise<FollowRecord[]> {
  const rows = await runStatement<Pick<Selectable<Tables['follows']>, 'address' | 'slot'>>(
    queries,
    'loadFollows',
    [seq, seq],
    () => queries.selectFrom('follows').select(['address', 'slot']).where(heldAfter(seq)).compile(),
  )
  return rows.map(({ address, slot }) => {
    const bytes = value.bytes(slot)
    return { address: value.address(address), slot: bytes.length === 0 ? undefined : value.word(bytes) }
  })
}

export async function addFollows(queries: Queries, seq: number, follows: readonly FollowRecord[]): Promise<void> {
  if (follows.length === 0) return
  const rows = follows.map(({ address, slot }) => ({
    address: column.hex(address),
    slot: slotColumn(slot),
    from_seq: seq,
    until_seq: null,
  }))
  await queries.insertInto('follows').values(rows).execute()
}

/** Ends follows. The token balances for which they were followed are no longer followed. */
export async function endFollows(queries: Queries, seq: number, follows: readonly FollowRecord[]): Promise<void> {
  for (const { address, slot } of follows)
    for (const table of ['follows', 'followed_balances'] as const)
      await queries
        .updateTable(table)
        .set({ until_seq: seq })
        .where('address', '=', column.hex(address))
        .where('slot', '=', slotColumn(slot))
        .where('until_seq', 'is', null)
        .execute()
}

const ofPair = ({ token, holder }: TokenHolder) => ({ token: column.hex(token), holder: column.hex(holder) })

/** The token balances that are followed after the change `seq`; of one token and holder, or all. */
export async function loadFollowedBalances(
  queries: Queries,
  seq: number,
  pair?: TokenHolder,
): Promise<FollowedBalance[]> {
  let query = queries
    .selectFrom('followed_balances')
    .select(['token', 'holder', 'address', 'slot'])
    .where(heldAfter(seq))
  if (pair) query = query.where((row) => row.and(ofPair(pair)))
  const rows = await query.orderBy('token').orderBy('holder').orderBy('from_seq').execute()
  return rows.map(({ token, holder, address, slot }) => ({
    token: value.address(token),
    holder: value.address(holder),
    address: value.address(address),
    slot: value.word(slot),
  }))
}

export async function addFollowedBalance(queries: Queries, seq: number, balance: FollowedBalance): Promise<void> {
  const { address, slot } = balance
  const row = {
    ...ofPair(balance),
    address: column.hex(address),
    slot: column.hex(slot),
    from_seq: seq,
    until_seq: null,
  }
  await queries.insertInto('followed_balances').values(row).execute()
}

/** Ends what is noted of these token balances; their slots are followed on. */
export async function endFollowedBalances(
  queries: Queries,
  seq: number,
  balances: readonly FollowedBalance[],
): Promise<void> {
  for (const { address, slot, ...pair } of balances)
    await queries
      .updateTable('followed_balances')
      .set({ until_seq: seq })
      .where((row) => row.and({ ...ofPair(pair), address: column.hex(address), slot: column.hex(slot) }))
      .where('until_seq', 'is', null)
      .execute()
}

/** The slot that was followed last for a token balance, whether it still is or not. */
export async function loadLastFollowedSlot(queries: Queries, pair: TokenHolder): Promise<Word | undefined> {
  const row = await queries
    .selectFrom('followed_balances')
    .select('slot')
    .where((row) => row.and(ofPair(pair)))
    .orderBy('from_seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && value.word(row.slot)
}

const tablesOfFollows = ['follows', 'followed_balances'] as const

const columnsOfFollows: readonly NumberColumn[] = tablesOfFollows.flatMap((table) => [
  [table, 'from_seq'] as const,
  [table, 'until_seq'] as const,
])

/** Undoes follows and unfollows after the change `seq`. Returns whether there were any. */
export async function revertFollows(queries: Queries, seq: number): Promise<boolean> {
  const used = await tablesAbove(queries, 'revertFollows', columnsOfFollows, seq)
  for (const table of tablesOfFollows) {
    if (!used.has(table)) continue
    await deleteAbove(queries, table, 'from_seq', seq)
    await runStatement(queries, `revert ${table}`, [null, seq], () =>
      queries.updateTable(table).set({ until_seq: null }).where('until_seq', '>', seq).compile(),
    )
  }
  return used.size > 0
}
