import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NetworkError } from '../shared/errors.ts'
import { copyNetwork as copyRows, countRows, totalOf } from '../storage/copyNetwork.ts'
import type { Database, PostgresLocation } from '../storage/database.ts'
import { openDatabase } from '../storage/openDatabase.ts'

export type CopyProgress = { begin(total: number): void; at(rows: number): void }

/**
 * Copies a network to an empty target. No process may be using either.
 * @returns the number of rows, and the location of the copy.
 */
export async function copyNetwork(
  from: string | PostgresLocation,
  to: string | PostgresLocation,
  progress: CopyProgress,
): Promise<{ rows: number; location: string }> {
  if (typeof from === 'string' && !existsSync(join(from, 'network.sqlite')))
    throw new NetworkError('NETWORK_NOT_FOUND', { location: from })
  const source = await openDatabase(from)
  try {
    const counts = await countRows(source.queries)
    if (counts.get('settings') === 0) throw new NetworkError('NETWORK_NOT_FOUND', { location: source.location })
    return await withTarget(to, async (target) => {
      const rows = totalOf(counts)
      progress.begin(rows)
      await copyRows(source, target, counts, progress.at)
      return { rows, location: target.location }
    })
  } finally {
    await source.close()
  }
}

async function withTarget<T>(location: string | PostgresLocation, copy: (target: Database) => Promise<T>): Promise<T> {
  const target = await openDatabase(location)
  try {
    if (totalOf(await countRows(target.queries)) > 0)
      throw new NetworkError('COPY_TARGET_NOT_EMPTY', { location: target.location })
    return await copy(target)
  } finally {
    await target.close()
  }
}
