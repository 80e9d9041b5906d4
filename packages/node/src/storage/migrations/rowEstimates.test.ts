import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { branchTables } from '../branches/layers.ts'
import { openDatabase } from '../openDatabase.ts'

let directory: string
let sqlite: InstanceType<typeof LibsqlDatabase>
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'understudy-estimates-'))
  await (await openDatabase(directory)).close()
  sqlite = new LibsqlDatabase(join(directory, 'network.sqlite'))
})
afterAll(() => {
  sqlite?.close()
  rmSync(directory, { recursive: true, force: true })
})

/** How SQLite finds the rows. */
const planOf = (query: string): string =>
  (sqlite.prepare(`explain query plan ${query}`).all() as { detail: string }[]).map(({ detail }) => detail).join('; ')

it('searches for what a query names, though all rows of the network are in the order that it wants', () => {
  const newest = 'order by block_number desc, position desc limit 1'
  const transaction = `select * from transactions where branch = 0 and hash = ? ${newest}`
  expect(planOf(transaction)).toContain('transactions_hash (branch=? AND hash=?)')
  const log = `select * from logs where branch = 0 and address = ? ${newest}`
  expect(planOf(log)).toContain('logs_address (branch=? AND address=?)')
})

it('searches for the rows of removed branches in every table, and does not read those of the network', () => {
  const numbers = Array(32).fill('?').join()
  for (const table of branchTables) {
    const plan = planOf(`select rowid from ${table} where branch in (${numbers}) limit ?`)
    expect({ table, plan }).toEqual({ table, plan: expect.stringMatching(/^SEARCH .*\(branch=\?\)$/) })
  }
})
