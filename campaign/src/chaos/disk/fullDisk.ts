import assert from 'node:assert/strict'
import type { JsonRpcError } from '@understudy/testkit'
import { auditDirectory } from '../kill/storedNetwork.ts'
import { mountSmallDisk, type SmallDisk } from './disks.ts'
import { type DiskTestContext, requireClear, Site } from './site.ts'

/** The disk is full while the network runs, and at its start. */
export async function fullDisk(context: DiskTestContext): Promise<string> {
  const disk = mountSmallDisk(16)
  if (!disk) return 'left out: this user may not mount'
  const site = new Site(disk.directory, context)
  try {
    await site.start()
    assert.deepEqual(await site.write(20), [])
    let refusals = await writeUntilFull(site, disk)
    requireClear(refusals)
    await site.check()
    await site.end('SIGKILL')

    const line = await startOnFull(site)
    disk.empty()
    await auditDirectory(disk.directory)
    await site.start()
    await site.check()
    refusals = await writeUntilFull(site, disk)
    disk.empty()
    // Free space is enough: no restart is needed.
    assert.deepEqual(await site.write(20), [])
    requireClear(refusals)
    await site.check()
    await site.end('SIGKILL')
    await auditDirectory(disk.directory)
    await site.mustBeWhole()
    return `${refusals[0]?.message}; at the start: ${line}`
  } finally {
    await site.end('SIGKILL')
    disk.remove()
  }
}

/** The redo log, which has its space, takes some writes. Returns the first refusals. */
async function writeUntilFull(site: Site, disk: SmallDisk): Promise<JsonRpcError[]> {
  disk.fill()
  for (;;) {
    const refusals = await site.write(20)
    if (refusals.length > 0) return refusals
  }
}

/** A start may succeed on a full disk if it writes nothing. */
async function startOnFull(site: Site): Promise<string> {
  try {
    return await site.failToStart()
  } catch (error) {
    if ((error as Error).message !== 'it started') throw error
    return 'it starts'
  }
}
