import { type Anvil, connectClient, postJsonRpc, testAccounts } from '@understudy/testkit'
import type { Address, Hex } from 'viem'
import { startUnderstudy } from '../startUnderstudy.ts'
import { formatDuration, median } from '../times.ts'
import { repeaterCode } from './contracts.ts'
import { inputOf } from './runners.ts'
import type { Scenario } from './scenarios.ts'

const rounds = 600
/** How many transactions are sent, one run after the other: the first finds a server in JavaScript still being compiled. */
const runs = [300, 3000]
const concurrency = 20

/** The median time of one request in microseconds, for each server; they take turns. */
async function latencies(urls: readonly string[], method: string, params: readonly unknown[]): Promise<number[]> {
  const times = urls.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, url] of urls.entries()) {
      const start = performance.now()
      await postJsonRpc(url, method, params)
      // The first half warms up: a server in JavaScript is compiled as it runs.
      if (round >= rounds / 2) times[index]?.push((performance.now() - start) * 1000)
    }
  }
  return times.map(median)
}

/** How long the last transaction may take, in milliseconds: anvil sometimes leaves those of one sender in its pool. */
const timeoutMs = 10_000

/**
 * Signed transfers, all sent with `concurrency` requests in flight, until the last has its receipt: transactions a second;
 * `undefined` if it never has.
 */
async function throughput(url: string, transactions: number): Promise<number | undefined> {
  const client = await connectClient(url)
  const account = testAccounts[1]
  const nonce = await client.getTransactionCount({ address: account.address })
  const signed: Hex[] = []
  for (let index = 0; index < transactions; index++) {
    signed.push(
      await account.signTransaction({
        chainId: client.chain?.id ?? 31337,
        nonce: nonce + index,
        to: testAccounts[2].address,
        value: 1n,
        gas: 21_000n,
        maxFeePerGas: 10n ** 11n,
        maxPriorityFeePerGas: 1n,
        type: 'eip1559',
      }),
    )
  }
  const start = performance.now()
  const hashes: Hex[] = []
  let next = 0
  const send = async () => {
    while (next < signed.length) {
      const index = next++
      hashes[index] = await postJsonRpc<Hex>(url, 'eth_sendRawTransaction', [signed[index]])
    }
  }
  await Promise.all(Array.from({ length: concurrency }, send))
  const last = hashes.at(-1)
  const sent = performance.now()
  while ((await postJsonRpc(url, 'eth_getTransactionReceipt', [last])) === null)
    if (performance.now() - sent > timeoutMs) return undefined
  return transactions / ((performance.now() - start) / 1000)
}

const rate = (perSecond: number | undefined) => perSecond?.toFixed(0) ?? 'not all mined'

/** Prints how long clients of both servers wait, over HTTP, for the work of the scenarios on warm state. */
export async function compareServers(anvil: Anvil, repeater: Address, scenarios: readonly Scenario[]): Promise<void> {
  const fork = await startUnderstudy(['--fork-url', anvil.url, '--no-follow-head', '--call-gas-limit', '2000000000'])
  const servers = [fork.url, anvil.url]
  try {
    // Funded accounts of a fork do not have upstream's code.
    await postJsonRpc(fork.url, 'dev_setCode', [repeater, repeaterCode])
    console.log('\n| one eth_call over HTTP, warm | understudy | anvil | understudy / anvil |')
    console.log('|---|---|---|---|')
    // The client is compiled as it runs, too; otherwise the first row would have that time.
    await latencies(servers, 'eth_chainId', [])
    for (const scenario of scenarios) {
      const call = { from: testAccounts[0].address, to: repeater, data: inputOf(scenario, 1), gas: '0x77359400' }
      const [ours = 0, theirs = 0] = await latencies(servers, 'eth_call', [call, 'latest'])
      console.log(
        `| ${scenario.name} | ${formatDuration(ours)} | ${formatDuration(theirs)} | ${(ours / theirs).toFixed(2)} |`,
      )
    }
    console.log('\n| signed transfers a second, a block each, durable | understudy | anvil (not durable) |')
    console.log('|---|---|---|')
    for (const [run, transactions] of runs.entries()) {
      const ours = await throughput(fork.url, transactions)
      const theirs = await throughput(anvil.url, transactions)
      const which = run === 0 ? 'the first' : 'the next'
      console.log(`| ${which} ${transactions}, ${concurrency} at once | ${rate(ours)} | ${rate(theirs)} |`)
    }
  } finally {
    await fork.stop()
  }
}
