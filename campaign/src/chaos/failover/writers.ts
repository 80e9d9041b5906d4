import { JsonRpcError, type Random, testAccounts } from '@understudy/testkit'
import { type Address, type Hex, numberToHex, parseGwei } from 'viem'
import { call, kindOf } from './call.ts'
import type { Cluster } from './cluster.ts'

/** Errors after which nothing was changed. */
const notDone = ['NETWORK_TAKEN_OVER', 'NO_SEALER', 'DATABASE_UNAVAILABLE']

type Checked = { transactions: number; additions: number; unknown: number }

/** What one client did, and what must be stored. */
type Account = { address: Address; least: bigint; most: bigint }

/** Clients that write through every node until they are stopped; one that loses its node goes to the next. */
export function startWriters(cluster: Cluster, random: Random) {
  const accounts: Account[] = []
  const hashes: Hex[] = []
  const figures = { additions: 0, unknown: 0 }
  let answers = 0
  let lastAnswerAt = 0
  let stopped = false

  const answer = () => {
    answers++
    lastAnswerAt = performance.now()
  }

  /** Adds one wei, which shows repetitions, and reads it on the same node. */
  async function add(account: Account, url: string): Promise<void> {
    account.most += 1n
    try {
      await call(url, 'dev_addBalance', [account.address, '1'])
    } catch (error) {
      if (notDone.includes(kindOf(error) ?? '')) account.most -= 1n
      else figures.unknown++
      throw error
    }
    account.least += 1n
    figures.additions++
    answer()
    const balance = BigInt(await call<Hex>(url, 'eth_getBalance', [account.address, 'latest']))
    if (balance < account.least) throw new Fault(`${url} does not know what was written through it`)
  }

  /** Sends a transaction until it is answered. */
  async function send(raw: Hex, urlOf: () => string, failed: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        hashes.push(await call<Hex>(urlOf(), 'eth_sendRawTransaction', [raw]))
        return answer()
      } catch (error) {
        // It arrived the first time, and only the answer was lost. These errors have no kind.
        if (error instanceof JsonRpcError && /^(already known|nonce too low)/.test(error.message)) return
        if (error instanceof JsonRpcError && !notDone.includes(kindOf(error) ?? '')) throw error
        await failed()
      }
    }
  }

  async function write(index: number): Promise<void> {
    let at = index
    const urlOf = () => cluster.nodes[at % cluster.nodes.length]?.url ?? ''
    const failed = async () => {
      at++
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const signer = testAccounts[index] as (typeof testAccounts)[0]
    const account: Account = {
      address: numberToHex(random.below(2 ** 31) + 2 ** 32, { size: 20 }),
      least: 0n,
      most: 0n,
    }
    accounts.push(account)
    const chainId = Number(await call<Hex>(urlOf(), 'eth_chainId', []))
    let nonce = Number(await call<Hex>(urlOf(), 'eth_getTransactionCount', [signer.address, 'latest']))
    while (!stopped) {
      if (random.below(2) === 0) {
        await add(account, urlOf()).catch(async (error) => {
          if (error instanceof Fault) throw error
          await failed()
        })
        continue
      }
      const fees = { gas: 21_000n, maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: 1n }
      const to = testAccounts[4].address
      await send(
        await signer.signTransaction({ type: 'eip1559', chainId, nonce, to, value: 1n, ...fees }),
        urlOf,
        failed,
      )
      nonce++
    }
  }

  const running = [0, 1, 2].map(write)
  const all = Promise.all(running)
  all.catch(() => {})

  async function until(reached: () => boolean): Promise<void> {
    while (!reached()) await Promise.race([new Promise((resolve) => setTimeout(resolve, 10)), all])
  }

  return {
    /** Waits for this many more answers. */
    answered(count: number): Promise<void> {
      const enough = answers + count
      return until(() => answers >= enough)
    },
    answeredAfter: (moment: number) => until(() => lastAnswerAt > moment),
    async stop(): Promise<void> {
      stopped = true
      await all
    },
    /** Checks that every node has everything that was answered. */
    async check(): Promise<Checked> {
      for (const { url } of cluster.nodes) {
        for (const hash of hashes) {
          const receipt = await call<{ status: Hex } | null>(url, 'eth_getTransactionReceipt', [hash])
          if (receipt?.status !== '0x1') throw new Fault(`${url} does not know the transaction ${hash}`)
        }
        for (const { address, least, most } of accounts) {
          const balance = BigInt(await call<Hex>(url, 'eth_getBalance', [address, 'latest']))
          if (balance < least || balance > most)
            throw new Fault(`${address} has ${balance} on ${url}, expected ${least} to ${most}`)
        }
      }
      return { transactions: hashes.length, ...figures }
    },
  }
}

/** A fault, unlike a node that is gone. */
class Fault extends Error {}
