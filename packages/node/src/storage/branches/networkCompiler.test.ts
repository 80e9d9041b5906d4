import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { queriesOf } from '../branchDatabase.ts'
import type { Database, Queries } from '../database.ts'
import { openDatabase } from '../openDatabase.ts'
import { deleteAbove, insertRows } from '../queries/insertRows.ts'
import { loadSetting, saveSetting } from '../records/settings.ts'
import { allRowsOf, rowsOf } from '../tables.ts'
import { branchTables, type Layer, type NetworkNumber, rowsOfNetwork } from './layers.ts'

let directory: string
let database: Database
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-compiler-'))
  database = await openDatabase(directory)
})
afterEach(async () => {
  await database.close()
  rmSync(directory, { recursive: true, force: true })
})

const bytes = (number: number) => new Uint8Array([number])
const version = (address: number, seq: number) => ({ address: bytes(address), slot: bytes(0), seq, value: bytes(seq) })

/** Runs a task on the rows of a network. */
const on = <T>(number: NetworkNumber, task: (queries: Queries) => Promise<T>, layers?: () => readonly Layer[]) =>
  database.transaction((queries) =>
    task(number === 0 ? queries : queriesOf(queries, 'sqlite', layers ? { number, layers } : rowsOfNetwork(number))),
  )
const upTo = (network: NetworkNumber, seq: number): Layer => ({ network, seq, block: seq, at: seq })

/** The rows of all networks: the number of each, and a column. */
const stored = async (table: 'slot_versions' | 'settings', column: string) => {
  const query = sql<{ branch: number; value: unknown }>`
    select branch, ${sql.ref(column)} as value from ${allRowsOf(table)} order by branch, ${sql.ref(column)}`
  const { rows } = await query.execute(database.queries)
  return rows.map(({ branch, value }) => [branch, value])
}

describe('a write', () => {
  it('changes rows of its own network only, with a condition and without', async () => {
    for (const network of [0, 1, 2])
      await on(network, (queries) =>
        insertRows(
          queries,
          'slot_versions',
          [1, 2, 3].map((seq) => version(7, seq)),
        ),
      )
    await on(1, (queries) => queries.updateTable('slot_versions').set({ seq: 9 }).where('seq', '=', 3).execute())
    await on(0, (queries) => deleteAbove(queries, 'slot_versions', 'seq', 2))
    await on(2, (queries) => queries.deleteFrom('slot_versions').execute())
    expect(await stored('slot_versions', 'seq')).toEqual([
      [0, 1],
      [0, 2],
      [1, 1],
      [1, 2],
      [1, 9],
    ])
    await on(0, (queries) => queries.updateTable('slot_versions').set({ position: 5 }).execute())
    await on(1, (queries) => queries.deleteFrom('slot_versions').where('seq', '>', 1).where('seq', '<', 9).execute())
    expect(await stored('slot_versions', 'position')).toEqual([
      [0, 5],
      [0, 5],
      [1, null],
      [1, null],
    ])
  })

  it('replaces its own row where there is one', async () => {
    for (const [network, value] of [
      [0, 'a'],
      [1, 'b'],
      [1, 'c'],
      [0, 'd'],
    ] as const)
      await on(network, (queries) => saveSetting(queries, 'key', value))
    expect(await on(0, (queries) => loadSetting(queries, 'key'))).toBe('d')
    expect(await on(1, (queries) => loadSetting(queries, 'key'))).toBe('c')
    expect(await on(2, (queries) => loadSetting(queries, 'key'))).toBeUndefined()
  })

  it('copies what a query of its network selects', async () => {
    await on(0, (queries) => insertRows(queries, 'slot_versions', [version(7, 1), version(8, 1)]))
    await on(1, (queries) => insertRows(queries, 'slot_versions', [version(9, 2)]))
    const copy = (queries: Queries) =>
      queries
        .insertInto('slot_versions')
        .columns(['address', 'slot', 'seq'])
        .expression(queries.selectFrom('slot_versions').select(['address', 'slot', sql<number>`seq + 10`.as('seq')]))
        .execute()
    await on(1, copy, () => [upTo(0, 1)])
    expect(await stored('slot_versions', 'seq')).toEqual([
      [0, 1],
      [0, 1],
      [1, 2],
      [1, 11],
      [1, 11],
      [1, 12],
    ])
  })

  it('numbers the rows of each network, above the ids that a branch reads of its parent', async () => {
    const items = (queries: Queries, names: string[]) =>
      queries
        .insertInto('tracked_items')
        .values(
          names.map((name) => ({
            ...{ id: name, address: bytes(1), name, type: 't', record_trigger: 'block', tags: '[]', created_at: 0 },
            ...{ function_abi: null, function_args: null, function_output_path: null, tracking_frequency: null },
            ...{ anchor: null, last_error: null },
          })),
        )
        .returning('number')
        .execute()
        .then((rows) => rows.map(({ number }) => number))
    expect(await on(0, (queries) => items(queries, ['a', 'b']))).toEqual([1, 2])
    expect(await on(0, (queries) => items(queries, ['c']))).toEqual([3])
    expect(await on(1, (queries) => items(queries, ['a']))).toEqual([1])
    const sample = { item: 6, block_number: 4, position: 0, timestamp: 4, kind: 'run', value: '1' }
    await on(0, (queries) => insertRows(queries, 'tracked_samples', [sample]))
    expect(
      await on(
        1,
        (queries) => items(queries, ['b']),
        () => [upTo(0, 3)],
      ),
    ).toEqual([2])
    expect(
      await on(
        1,
        (queries) => items(queries, ['c', 'd']),
        () => [upTo(0, 4)],
      ),
    ).toEqual([7, 8])
  })
})

describe('a read', () => {
  it('sees the rows of its network, and those of its layers up to where each ends', async () => {
    await on(0, (queries) =>
      insertRows(
        queries,
        'slot_versions',
        [1, 2, 3].map((seq) => version(1, seq)),
      ),
    )
    await on(1, (queries) =>
      insertRows(
        queries,
        'slot_versions',
        [3, 4, 5].map((seq) => version(2, seq)),
      ),
    )
    await on(2, (queries) =>
      insertRows(
        queries,
        'slot_versions',
        [5, 6].map((seq) => version(3, seq)),
      ),
    )
    const seqs = (queries: Queries) =>
      queries
        .selectFrom('slot_versions as version')
        .selectAll()
        .orderBy('seq')
        .execute()
        .then((rows) => rows.map(({ address, seq }) => [new Uint8Array(address)[0], seq]))
    const inTemplate = (queries: Queries) =>
      sql<{ total: number }>`select count(*) as total from ${rowsOf('slot_versions')} where slot_versions.seq > 0`
        .execute(queries)
        .then(({ rows }) => rows[0]?.total)
    let layers: readonly Layer[] = [upTo(1, 4), upTo(0, 2)]
    const rows = { number: 2, layers: () => layers }
    const ofBranch = queriesOf(database.queries, 'sqlite', rows)
    expect(await seqs(ofBranch)).toEqual([
      [1, 1],
      [1, 2],
      [2, 3],
      [2, 4],
      [3, 5],
      [3, 6],
    ])
    expect(await inTemplate(ofBranch)).toBe(6)
    layers = [upTo(1, 3)]
    expect(await seqs(ofBranch)).toEqual([
      [2, 3],
      [3, 5],
      [3, 6],
    ])
    expect([await inTemplate(ofBranch), await inTemplate(database.queries)]).toEqual([3, 3])
  })

  it('joins the rows of its network', async () => {
    for (const [network, value] of [
      [0, 'of the network'],
      [1, 'of the branch'],
    ] as const)
      await on(network, async (queries) => {
        await saveSetting(queries, 'key', value)
        await insertRows(queries, 'impersonated_accounts', [{ address: bytes(network) }])
      })
    const joined = (queries: Queries) =>
      queries
        .selectFrom('settings')
        .innerJoin('impersonated_accounts as account', (join) => join.onTrue())
        .select(['settings.value', 'account.address'])
        .execute()
    expect((await on(0, joined)).map(({ value }) => value)).toEqual(['"of the network"'])
    expect((await on(1, joined)).map(({ value }) => value)).toEqual(['"of the branch"'])
  })
})

it('is asked for the tables of branches by every `sql` template', () => {
  const source = fileURLToPath(new URL('../..', import.meta.url))
  const plain = new RegExp(`\\b(?:from|join|into|update)\\s+"?(?:${branchTables.join('|')})\\b`, 'g')
  const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(source, file), 'utf8')
      if (!text.includes("from 'kysely'")) return []
      const code = text.replace(/\/\*.*?\*\/|^\s*\/\/.*$/gms, '')
      return (code.match(plain) ?? []).map((use) => `${file}: ${use}`)
    })
  expect(found).toEqual([])
})
