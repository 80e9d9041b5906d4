import assert from 'node:assert/strict'
import { chownSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mountSmallDisk, temporaryDirectory } from './disks.ts'
import { type DiskTestContext, Site } from './site.ts'

/** The data directory is on a disk that is mounted read-only, with a network in it and without. */
export async function readOnlyDisk(context: DiskTestContext): Promise<string> {
  const disk = mountSmallDisk(16)
  if (!disk) return 'left out: this user may not mount'
  const site = new Site(disk.directory, context)
  try {
    disk.readOnly(true)
    const empty = await site.failToStart()
    disk.readOnly(false)
    await site.start()
    assert.deepEqual(await site.write(10), [])
    await site.end('SIGKILL')
    disk.readOnly(true)
    await site.failToStart()
    disk.readOnly(false)
    await site.mustBeWhole()
    return empty
  } finally {
    await site.end('SIGKILL')
    disk.remove()
  }
}

/** Root may write where modes forbid it, unless it gives that up. */
const withoutPrivilege = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search,-fowner']
const otherUser = 65534

/** The data directory belongs to another user, or it is no directory. */
export async function forbidden(context: DiskTestContext): Promise<string> {
  if (process.getuid?.() !== 0) return 'left out: only root may give files to another user'
  const directory = temporaryDirectory()
  const site = new Site(directory, context)
  const giveTo = (user: number) => {
    for (const path of [directory, join(directory, 'network.sqlite')]) chownSync(path, user, user)
  }
  try {
    await site.start()
    assert.deepEqual(await site.write(10), [])
    await site.end()
    giveTo(otherUser)
    const line = await site.failToStart(withoutPrivilege)
    giveTo(0)
    await site.mustBeWhole()
    writeFileSync(join(directory, 'a file'), '')
    await new Site(join(directory, 'a file'), context).failToStart()
    return line
  } finally {
    await site.end('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
}
