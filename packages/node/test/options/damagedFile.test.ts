import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, postJsonRpc, startAnvil, startUnderstudy } from '@understudy/testkit'
import LibsqlDatabase from 'libsql'
import { afterAll, beforeAll, expect, it } from 'vitest'

const holder = `0x${'5e'.repeat(20)}`
let anvil: Anvil
let root: string
/** Of a network that was stopped. */
let stopped: string

const start = (directory: string) => startUnderstudy(['--fork-url', anvil.url, '--data-dir', directory])
const balance = (url: string) => postJsonRpc(url, 'eth_getBalance', [holder, 'latest'])

/**
 * A copy of the directory in which a bit is flipped in the last bytes of a page of a table, where its first row is: SQLite
 * alone takes such a value as it is.
 */
function damaged(table: string): string {
  const directory = join(root, table)
  cpSync(stopped, directory, { recursive: true })
  const file = join(directory, 'network.sqlite')
  const sqlite = new LibsqlDatabase(file)
  const { page } = sqlite.prepare('select max(pageno) as page from dbstat where name = ?').get(table) as {
    page: number
  }
  sqlite.close()
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(page * 4096 - 2) ^ 1, page * 4096 - 2)
  writeFileSync(file, bytes)
  return directory
}

beforeAll(async () => {
  anvil = await startAnvil()
  root = mkdtempSync(join(tmpdir(), 'understudy-damaged-'))
  stopped = join(root, 'stopped')
  const run = await start(stopped)
  await postJsonRpc(run.url, 'eth_getBalance', [`0x${'6f'.repeat(20)}`, 'latest'])
  await postJsonRpc(run.url, 'dev_setBalance', [holder, '1000'])
  await postJsonRpc(run.url, 'anvil_mine', ['0x3'])
  await run.end()
})
afterAll(async () => {
  await anvil?.stop()
  rmSync(root, { recursive: true, force: true })
})

it.each(['account_versions', 'blocks', 'settings'])('does not start when a value of %s was changed', async (table) => {
  const directory = damaged(table)
  const told = /^error: the database in .* is damaged: 1 of \d+ pages of network.sqlite/m
  for (let time = 0; time < 2; time++)
    await expect(start(directory)).rejects.toMatchObject({ ended: { code: 1, stderr: expect.stringMatching(told) } })
  cpSync(join(stopped, 'network.sqlite'), join(directory, 'network.sqlite'))
  const run = await start(directory)
  expect(await balance(run.url)).toBe('0x3e8')
  await run.end()
})

it('makes a damaged cache of the live chain anew, and says so', async () => {
  const directory = damaged('upstream_values')
  const run = await start(directory)
  expect(await balance(run.url)).toBe('0x3e8')
  const { stdout, stderr } = await run.end()
  expect(stdout + stderr).toMatch(/Discarded the stored upstream cache, which is damaged/)
  const next = await start(directory)
  expect(await balance(next.url)).toBe('0x3e8')
  const ended = await next.end()
  expect(ended.stdout + ended.stderr).not.toMatch(/Discarded/)
})
