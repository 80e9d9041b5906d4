import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { artifacts, connectClient, deployContract, startAnvil } from '@understudy/testkit'
import { type Address, encodeFunctionData, numberToHex, parseEther } from 'viem'
import { startUnderstudy, type Understudy } from '../startUnderstudy.ts'
import { formatDuration } from '../times.ts'
import { processorTime } from './processorTime.ts'
import { measureReads } from './reads.ts'
import { measureTransactions, timeCall } from './writes.ts'

/** How long reads are counted, and by how many clients at a time. */
const readSeconds = 5
const clients = 32
/** The number of calls in a median. */
const rounds = 150

const holder: Address = `0x${'aa'.repeat(20)}`

/** Reads of one network with one, two and three nodes, what forwarding costs, and what a commit costs in a file and in a database. */
export async function measureNodes(): Promise<void> {
  const databaseUrl = process.env.TEST_DATABASE_URL
  if (!databaseUrl) {
    console.log(
      'This bench needs PostgreSQL: set TEST_DATABASE_URL, or run it by node tooling/withPostgres.mjs (no fsync there)',
    )
    return
  }
  const anvil = await startAnvil({})
  const nodes: Understudy[] = []
  try {
    console.log(`${availableParallelism()} cores, which nodes, database and clients share\n`)
    const file = await startUnderstudy(['--fork-url', anvil.url])
    const databaseFlags = ['--database-url', databaseUrl, '--network', `bench${randomBytes(6).toString('hex')}`]
    while (nodes.length < 3) nodes.push(await startUnderstudy(['--fork-url', anvil.url, ...databaseFlags]))
    const [sealer, reader] = nodes as [Understudy, Understudy]
    await compareWrites({
      'SQLite, one process': [file],
      'PostgreSQL, the node that seals': [sealer],
      'PostgreSQL, through a reader': [reader, sealer],
    })
    await file.stop()
    await compareReads(nodes)
  } finally {
    for (const node of nodes.reverse()) await node.stop()
    await anvil.stop()
  }
}

/** `sides`: the node that gets the requests, and those that share its work. */
async function compareWrites(sides: Record<string, [Understudy, ...Understudy[]]>): Promise<void> {
  console.log(
    'what a client waits for, median       transaction  dev_setBalance  eth_getBalance  transactions/s  processor time of one',
  )
  for (const [title, nodes] of Object.entries(sides)) {
    const urls = nodes.map(({ url }) => url)
    const [{ url }] = nodes
    const before = await processorTime(urls)
    const transactions = await measureTransactions(url, rounds)
    const taken = ((await processorTime(urls)) - before) / transactions.count
    const write = await timeCall(url, rounds, (index) => ['dev_setBalance', [holder, String(index)]])
    const read = await timeCall(url, rounds, () => ['eth_getBalance', [holder, 'latest']])
    const columns = [transactions.latency, write, read].map((value) => formatDuration(value).padStart(16)).join('')
    const perSecond = String(Math.round(transactions.perSecond)).padStart(16)
    console.log(`${title.padEnd(33)}${columns}${perSecond}${formatDuration(taken).padStart(23)}`)
  }
}

async function compareReads(nodes: readonly Understudy[]): Promise<void> {
  const [first] = nodes as [Understudy]
  const client = await connectClient(first.url)
  const token = await deployContract(client, artifacts.PlainToken, ['Plain', 'PLN', parseEther('1000')])
  const data = encodeFunctionData({ abi: artifacts.PlainToken.abi, functionName: 'balanceOf', args: [holder] })
  const reads = {
    'eth_call, balanceOf': { method: 'eth_call', params: [{ to: token, data }, 'latest'] },
    eth_getBalance: { method: 'eth_getBalance', params: [holder, 'latest'] },
    'eth_getBlockByNumber, newest': {
      method: 'eth_getBlockByNumber',
      params: [numberToHex(await client.getBlockNumber()), false],
    },
  }
  console.log(
    `\nreads a second, ${clients} clients            1 node      2 nodes      3 nodes   processor time of one`,
  )
  for (const [title, request] of Object.entries(reads)) {
    const figures: number[] = []
    let taken = 0
    for (const count of [1, 2, 3]) {
      const urls = nodes.slice(0, count).map(({ url }) => url)
      await measureReads(urls, request, { clients, seconds: 1 })
      const before = await processorTime(urls)
      const perSecond = await measureReads(urls, request, { clients, seconds: readSeconds })
      taken = ((await processorTime(urls)) - before) / (perSecond * readSeconds)
      figures.push(perSecond)
    }
    const columns = figures.map((figure) => String(Math.round(figure)).padStart(13)).join('')
    console.log(title.padEnd(33) + columns + formatDuration(taken).padStart(24))
  }
}
