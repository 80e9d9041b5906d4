import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { testAccounts } from '@understudy/testkit'
import { ask } from '../answers.ts'

/** Waiting times of a neighbour, in milliseconds. */
export type Waits = { reads: number[]; transfers: number[] }

/** A client that does nothing special: it reads, and sends a transfer now and then. */
export type Neighbour = {
  /** How long it has waited since it was asked last. Throws when a request was refused. */
  waits(): Promise<Waits>
  /** Ends it at once. */
  leave(): Promise<unknown>
}

/** A thread runs built files only, also when tests run the sources. */
const built = fileURLToPath(import.meta.url)
  .replace('/src/', '/dist/')
  .replace(/\.ts$/, '.js')

const readPauseMs = 10
const transferPauseMs = 300

/** Starts a neighbour in a thread of its own, so that only the network makes it wait. */
export async function startNeighbour(url: string): Promise<Neighbour> {
  const worker = new Worker(built, { workerData: { url } })
  const failed = once(worker, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  await Promise.race([once(worker, 'message'), failed])
  return {
    async waits() {
      worker.postMessage('waits')
      const [waits] = await Promise.race([once(worker, 'message'), failed])
      return waits as Waits
    },
    leave: () => worker.terminate(),
  }
}

async function live(url: string): Promise<void> {
  let waits: Waits = { reads: [], transfers: [] }
  const port = parentPort
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const repeat = async (kind: keyof Waits, pauseMs: number, method: string, params: readonly unknown[]) => {
    for (;;) {
      const { error, ms } = await ask(url, method, params)
      if (error) throw new Error(`A neighbour was refused ${method}: ${error.message}`)
      waits[kind].push(ms)
      await pause(pauseMs)
    }
  }
  const transfer = { from: testAccounts[4].address, to: testAccounts[4].address, value: '0x1', gas: '0x5208' }
  // One before the load, so that nothing is cold.
  await ask(url, 'eth_sendTransaction', [transfer])
  port?.on('message', () => {
    port.postMessage(waits)
    waits = { reads: [], transfers: [] }
  })
  port?.postMessage('ready')
  await Promise.all([
    repeat('reads', readPauseMs, 'eth_chainId', []),
    repeat('transfers', transferPauseMs, 'eth_sendTransaction', [transfer]),
  ])
}

if (!isMainThread) await live((workerData as { url: string }).url)
