import { freemem, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Anvil, artifacts, connectClient, deployContract, startAnvil, testAccounts } from '@understudy/testkit'
import { encodeFunctionData, type Hex, numberToHex, pad } from 'viem'
import { figuresOf, megabytes } from '../figures.ts'
import { openHttpClient } from '../httpClient.ts'
import { startUnderstudy } from '../startUnderstudy.ts'
import { formatDuration, median, timesOf } from '../times.ts'

/** How long a branch stays open after its last request, and some more. */
const quietMs = 45_000
const busyMs = 10_000
/** How many clients send the parent's transactions. */
const senders = 16
const transactionLimit = 5000
/** So many slots fit into one request. */
const dumpSlots = 50_000

const account = testAccounts[0]?.address as Hex

async function rpc<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body })
  const { result, error } = (await answer.json()) as { result: T; error?: { message: string } }
  if (error) throw new Error(`${method}: ${error.message}`)
  return result
}

/** A network with many blocks and slots of its own. At most `transactionLimit` of the blocks have a transaction, the others are empty. */
async function fill(url: string, { slots: slotCount, blocks }: { slots: number; blocks: number }): Promise<void> {
  for (let first = 0; first < slotCount; first += dumpSlots) {
    const length = Math.min(dumpSlots, slotCount - first)
    const slots = Array.from({ length }, (_, index) => [pad(numberToHex(first + index)), pad('0x1')])
    const filled = { nonce: 1, balance: '0x0', code: '0x00', storage: Object.fromEntries(slots) }
    const dump = { accounts: { [pad(numberToHex(0xf10000 + first / dumpSlots), { size: 20 })]: filled } }
    await rpc(url, 'anvil_loadState', `0x${Buffer.from(JSON.stringify(dump)).toString('hex')}`)
  }
  const transactions = Math.min(blocks, transactionLimit)
  let sent = 0
  const send = async () => {
    while (sent < transactions) {
      const empty = Math.floor((blocks * (sent + 1)) / transactions) - Math.floor((blocks * sent) / transactions) - 1
      sent++
      await rpc(url, 'eth_sendTransaction', { from: account, to: pad('0xb1', { size: 20 }), value: '0x1' })
      if (empty > 0) await rpc(url, 'anvil_mine', numberToHex(empty))
    }
  }
  await Promise.all(Array.from({ length: senders }, send))
}

/** Requests a second of clients that each send transactions and calls to a network of their own. */
async function busy(urls: readonly string[], counter: Hex): Promise<number> {
  const increment = encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'increment' })
  const number = encodeFunctionData({ abi: artifacts.Counter.abi, functionName: 'number' })
  const bodies = [
    { method: 'eth_sendTransaction', params: [{ from: account, to: counter, data: increment }] },
    { method: 'eth_call', params: [{ to: counter, data: number }, 'latest'] },
    { method: 'eth_getBalance', params: [account, 'latest'] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ].map((request) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...request }))
  const run = async (url: string, until: number): Promise<number> => {
    const client = await openHttpClient(url)
    let done = 0
    while (performance.now() < until) {
      const answer = await client.post(bodies[done % bodies.length] as string)
      if (answer.includes('"error":')) throw new Error(`${url} answered ${answer.toString()}`)
      done++
    }
    client.close()
    return done
  }
  const all = (until: number) => Promise.all(urls.map((url) => run(url, until)))
  await all(performance.now() + busyMs / 5)
  const counts = await all(performance.now() + busyMs)
  return (counts.reduce((sum, count) => sum + count, 0) * 1000) / busyMs
}

/** Time and memory of many branches, and requests a second of busy ones beside as many anvils. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      branches: { type: 'string', default: '1,100,1000' },
      busy: { type: 'string', default: '100' },
      /** Of the parent. */
      blocks: { type: 'string', default: '2000' },
      slots: { type: 'string', default: '50000' },
    },
  })
  const live = await startAnvil()
  const counter = await deployContract(await connectClient(live.url), artifacts.Counter, [0n])
  const network = await startUnderstudy(['--fork-url', live.url, '--no-follow-head'])
  const started = await figuresOf(network.url)
  const parent = { blocks: Number(values.blocks), slots: Number(values.slots) }
  await fill(network.url, parent)
  const filled = await figuresOf(network.url)
  console.log(
    `The network has ${parent.blocks} blocks and ${parent.slots} slots, and ${megabytes(filled.memory)} of memory (${megabytes(started.memory)} before).`,
  )
  console.log(
    '\n| branches | to make one | processor time | memory when made | when each was asked once | when all are quiet |',
  )
  console.log('|---|---|---|---|---|---|')
  const urls: string[] = []
  for (const count of values.branches.split(',').map(Number)) {
    const before = await figuresOf(network.url)
    const made = count - urls.length
    const times = await timesOf(made, async () => {
      urls.push((await rpc<{ url: string }>(network.url, 'dev_createBranch', {})).url)
    })
    const after = await figuresOf(network.url)
    for (const url of urls) await rpc(url, 'eth_getBalance', account, 'latest')
    const asked = await figuresOf(network.url)
    await sleep(quietMs)
    const quiet = await figuresOf(network.url)
    console.log(
      `| ${count} | ${formatDuration(median(times))} | ${formatDuration((after.cpu - before.cpu) / made)} | ${megabytes(after.memory)} | ${megabytes(asked.memory)} | ${megabytes(quiet.memory)} |`,
    )
  }
  const chosen = urls.slice(0, Number(values.busy))
  const ours = await busy(chosen, counter)
  const { memory } = await figuresOf(network.url)
  await network.stop()
  console.log('\n| | networks | requests a second | memory |')
  console.log('|---|---|---|---|')
  console.log(`| busy branches, of ${urls.length} | ${chosen.length} | ${ours.toFixed(0)} | ${megabytes(memory)} |`)
  await runAnvils(live.url, chosen.length, counter)
  await live.stop()
}

/** The same on anvils that fork the same chain: as many, or as fit into half of the memory. */
async function runAnvils(forkUrl: string, wanted: number, counter: Hex): Promise<void> {
  const before = freemem()
  const anvils: Anvil[] = []
  while (anvils.length < wanted && freemem() > totalmem() / 2)
    anvils.push(await startAnvil({ args: ['--fork-url', forkUrl] }))
  const theirs = await busy(
    anvils.map(({ url }) => url),
    counter,
  )
  console.log(
    `| busy anvils, in a process each | ${anvils.length} | ${theirs.toFixed(0)} | ${megabytes(before - freemem())} |`,
  )
  await Promise.all(anvils.map((anvil) => anvil.stop()))
}
