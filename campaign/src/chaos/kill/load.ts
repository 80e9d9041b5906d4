import type { Random } from '@understudy/testkit'
import { JsonRpcError, testAccounts } from '@understudy/testkit'
import type { LiveContracts } from './liveTraffic.ts'
import type { Register } from './register.ts'
import { rpcOf } from './rpc.ts'
import { madeUpAddress, type Step, type Worker } from './worker.ts'

/** Each is an account of its own: transactions of several share a commit. */
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

/** Workers ask for random steps, each one after the other, until the network is gone. Answers how many steps were answered. */
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
  // None ends but by an error; a refusal is a fault of the network, everything else is the connection that broke.
  for (const outcome of outcomes) if (outcome.status === 'rejected' && isFault(outcome.reason)) throw outcome.reason
  return done
}

const isFault = (error: unknown) => error instanceof JsonRpcError || !/fetch|terminated|JSON/i.test(String(error))

/** One of the first four test accounts, as it stands now. */
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
