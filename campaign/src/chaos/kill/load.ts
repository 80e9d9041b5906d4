import type { Random } from '@understudy/testkit'
import { JsonRpcError, testAccounts } from '@understudy/testkit'
import type { LiveContracts } from './liveTraffic.ts'
import type { Register } from './register.ts'
import { rpcOf } from './rpc.ts'
import { madeUpAddress, type Step, type Worker } from './worker.ts'

/** Each has its own account: transactions of several share a commit. */
const workerCount = 4

type Load = {
  url: string
  random: Random
  register: Register
  live: LiveContracts
  /** Changes of all workers together after which `enough` is called. */
  count: number
  enough: () => void
}

let addresses = 0

/** Workers take random steps, each one after the other, until the network is gone. Returns how many steps were answered. */
export async function runLoad(load: Load, steps: readonly Step[], workers = workerCount): Promise<number> {
  let done = 0
  const work = async (worker: Worker) => {
    for (;;) {
      await worker.random.pick(steps)(worker)
      if (++done === load.count) load.enough()
    }
  }
  if (load.count === 0) load.enough()
  const outcomes = await Promise.allSettled(
    Array.from({ length: workers }, async (_, index) => work(await createWorker(load, index))),
  )
  // A worker ends only with an error: an error answer is a fault of the network, any other error a broken connection.
  for (const outcome of outcomes) if (outcome.status === 'rejected' && isFault(outcome.reason)) throw outcome.reason
  return done
}

const isFault = (error: unknown) => error instanceof JsonRpcError || !/fetch|terminated|JSON/i.test(String(error))

/** The current state of one of the first four test accounts. */
export async function createWorker(
  { url, random, register, live }: Omit<Load, 'count' | 'enough'>,
  index: number,
): Promise<Worker> {
  const rpc = rpcOf(url)
  const account = testAccounts[index] as (typeof testAccounts)[number]
  const name = `worker ${index}`
  return {
    rpc,
    random,
    register,
    live,
    account,
    name,
    chainId: Number(await rpc('eth_chainId')),
    nonce: Number(await rpc('eth_getTransactionCount', account.address, 'latest')),
    freshAddress: () => madeUpAddress(`${name} ${addresses++}`),
  }
}
