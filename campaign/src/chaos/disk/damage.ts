import assert from 'node:assert/strict'
import {
  closeSync,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { EndedEarly } from '@understudy/testkit'
import LibsqlDatabase from 'libsql'
import { BlockAudit } from '../kill/audit.ts'
import { auditDirectory } from '../kill/storedNetwork.ts'
import { temporaryDirectory } from './disks.ts'
import { type DiskTestContext, requireClear, Site } from './site.ts'

const fileOf = (directory: string) => join(directory, 'network.sqlite')

/** The first page of each table and index. */
function pagesOf(directory: string): { name: string; tbl_name: string; rootpage: number }[] {
  const sqlite = new LibsqlDatabase(fileOf(directory))
  const rows = sqlite.prepare('select name, tbl_name, rootpage from sqlite_schema where rootpage > 0').all()
  sqlite.close()
  return rows as { name: string; tbl_name: string; rootpage: number }[]
}

/** Overwrites a page. Returns a function that restores it. */
function damagePage(directory: string, page: number, noise: Buffer): () => void {
  const at = (page - 1) * noise.length
  const before = Buffer.alloc(noise.length)
  const write = (bytes: Buffer) => {
    const file = openSync(fileOf(directory), 'r+')
    if (bytes === noise) readSync(file, before, 0, before.length, at)
    writeSync(file, bytes, 0, bytes.length, at)
    closeSync(file)
  }
  write(noise)
  return () => write(before)
}

async function withNetwork(
  context: DiskTestContext,
  task: (site: Site) => Promise<string>,
  signal: NodeJS.Signals = 'SIGTERM',
) {
  const site = new Site(temporaryDirectory(), context)
  try {
    await site.start()
    assert.deepEqual(await site.write(30), [])
    await site.end(signal)
    return await task(site)
  } finally {
    await site.end('SIGKILL')
    rmSync(site.directory, { recursive: true, force: true })
  }
}

const noiseFrom = ({ random }: DiskTestContext) => Buffer.from(Array.from({ length: 4096 }, () => random.below(256)))

/** The tables of the upstream cache are noise: the network discards them. */
export const damagedCache = (context: DiskTestContext) =>
  withNetwork(context, async (site) => {
    const pages = pagesOf(site.directory).filter(({ tbl_name }) => tbl_name.startsWith('upstream_'))
    assert(pages.length >= 3)
    for (const { rootpage } of pages) damagePage(site.directory, rootpage, noiseFrom(context))
    await site.start()
    await site.check()
    assert.deepEqual(await site.write(10), [])
    const said = await site.end()
    assert.match(said, /cache/i)
    await site.mustBeWhole()
    return `${pages.length} pages of the cache were noise: it starts without`
  })

/** A page of any other table or index is noise: the network reports it, at the start or when it reads the page, and damages nothing else. */
export const damagedTable = (context: DiskTestContext) =>
  withNetwork(context, async (site) => {
    const pages = pagesOf(site.directory).filter(({ tbl_name }) => !tbl_name.startsWith('upstream_'))
    const { name, rootpage } = context.random.pick(pages)
    const repair = damagePage(site.directory, rootpage, noiseFrom(context))
    let line: string
    try {
      line = await site.failToStart()
    } catch (error) {
      if ((error as Error).message !== 'it started') throw new Error(`${name}: ${(error as Error).message}`)
      await site.start()
      const refusals = await site.write(20)
      requireClear(refusals)
      line = `it starts; ${refusals.length} of 20 writes were refused: ${refusals[0]?.message ?? ''}`
      await site.end('SIGKILL')
    }
    repair()
    await site.mustBeWhole()
    await auditDirectory(site.directory)
    return `${name}: ${line}`
  })

/** The file in the directory is not a database. */
export async function noDatabase(context: DiskTestContext): Promise<string> {
  const directory = temporaryDirectory()
  try {
    writeFileSync(fileOf(directory), noiseFrom(context))
    return await new Site(directory, context).failToStart()
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** The end of the write-ahead log is missing, as after a crash with a disk that ignored `fsync`: the network has what the redo log has, or does not start. */
export const truncatedLog = (context: DiskTestContext) =>
  withNetwork(
    context,
    async (site) => {
      const log = `${fileOf(site.directory)}-wal`
      assert(existsSync(log))
      const { size } = statSync(log)
      const left = Math.floor(size * context.random.next())
      truncateSync(log, left)
      try {
        await site.start()
      } catch (error) {
        if (!(error instanceof EndedEarly)) throw error
        return `${left} of ${size} bytes were left: ${await site.failToStart()}`
      }
      await site.check()
      const { base } = await site.rpc<{ origin: unknown; base: unknown; head: { number: number } }>(
        'dev_getNetworkInfo',
      )
      assert(base)
      const audit = new BlockAudit()
      await audit.run(site.rpc)
      await site.end()
      // Checked only now: the remaining log may not even contain the tables.
      await auditDirectory(site.directory)
      return `${left} of ${size} bytes were left: it starts at block ${audit.head}`
    },
    'SIGKILL',
  )

/** A newer version of the program wrote the tables. */
export const newerSchema = (context: DiskTestContext) =>
  withNetwork(context, async (site) => {
    const change = (statement: string) => {
      // As it is said to those who change the file.
      rmSync(join(site.directory, 'network.sums'), { force: true })
      const sqlite = new LibsqlDatabase(fileOf(site.directory))
      sqlite.exec(statement)
      sqlite.close()
    }
    change("insert into kysely_migration (name, timestamp) values ('9999_of_the_future', '2030-01-01')")
    const line = await site.failToStart()
    change("delete from kysely_migration where name = '9999_of_the_future'")
    await site.mustBeWhole()
    return line
  })
