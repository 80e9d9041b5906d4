import { AsyncResource } from 'node:async_hooks'
import type { Database, Queries } from '../database.ts'
import type { SqliteFile } from './sqliteFile.ts'

/** The most tasks of one transaction: together they stay well below the redo log's size, and delay each other little. */
const taskLimit = 32

type Waiting = {
  task(queries: Queries): Promise<unknown>
  isFlushed: boolean
  resolve(result: never): void
  reject(error: unknown): void
}

/**
 * Runs tasks of many networks in transactions that they share, so that one flush of the disk makes all of them durable. A
 * task that throws is undone alone. Where none is to be flushed, they are durable with a later transaction.
 */
export function createSharedTransactions(transaction: Database['transaction'], file: SqliteFile) {
  const waiting: Waiting[] = []
  let isRunning = false

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      // Requests that arrived at the same time take part.
      await new Promise((resolve) => setImmediate(resolve))
      await runSome(waiting.splice(0, taskLimit))
    }
    isRunning = false
  }

  async function runSome(tasks: readonly Waiting[]): Promise<void> {
    const outcomes: (() => void)[] = []
    try {
      await transaction(async (queries) => {
        if (!tasks.some(({ isFlushed }) => isFlushed)) file.flushLater()
        for (const { task, resolve, reject } of tasks) {
          file.beginPart()
          try {
            const result = (await task(queries)) as never
            file.endPart()
            outcomes.push(() => resolve(result))
          } catch (error) {
            file.undoPart()
            outcomes.push(() => reject(error))
          }
        }
      })
    } catch (error) {
      for (const { reject } of tasks) reject(error)
      return
    }
    for (const settle of outcomes) settle()
  }

  return <T>(task: (queries: Queries) => Promise<T>, { isFlushed } = { isFlushed: true }): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      // What runs belongs to the request that asked for it.
      const request = new AsyncResource('SharedTransaction')
      const run = (queries: Queries) => request.runInAsyncScope(task, undefined, queries)
      waiting.push({ task: run, isFlushed, resolve, reject })
      if (isRunning) return
      isRunning = true
      void runAll()
    })
}
