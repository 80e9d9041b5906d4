import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'libsql'
import { openingProblem } from '../sqlite/problems.ts'

/** Locks a data directory until the process ends, or until the function that it returns is called. Throws `DATA_DIRECTORY_IN_USE`. */
export function lockDirectory(directory: string): () => void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const lock = new Sqlite(join(directory, 'server.lock'))
    lock.pragma('locking_mode = exclusive')
    lock.exec('begin exclusive; create table if not exists lock (number integer); commit')
    return () => {
      lock.pragma('locking_mode = normal')
      lock.exec('begin immediate; commit')
      lock.close()
    }
  } catch (error) {
    throw openingProblem(error, directory)
  }
}
