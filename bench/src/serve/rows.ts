import { setTimeout } from 'node:timers/promises'
import { encodeFunctionData, type Hex } from 'viem'
import { openHttpClient } from '../httpClient.ts'
import { holders, logCount, request, type Server, senders } from './prepare.ts'

/** What is measured: `measure` answers how many a second in one round. */
export type Row = {
  name: string
  /** The required ratio of our figure to anvil's. */
  required: number | undefined
  /** One round is enough. */
  isOnce?: true
  measure(server: Server, round: number): Promise<number>
}

const roundMs = 400
const balanceOf = (holder: string): Hex => `0x70a08231${holder.slice(2).padStart(64, '0')}`
const quoteAbi = [
  {
    type: 'function',
    name: 'quoteExactInputSingle',
    stateMutability: 'nonpayable',
    inputs: [
      {
        name: 'params',
        type: 'tuple',
        components: [
          { name: 'tokenIn', type: 'address' },
          { name: 'tokenOut', type: 'address' },
          { name: 'amountIn', type: 'uint256' },
          { name: 'fee', type: 'uint24' },
          { name: 'sqrtPriceLimitX96', type: 'uint160' },
        ],
      },
    ],
    outputs: [],
  },
] as const

/** Every request has other parameters than the one before. */
let variant = 0
const next = () => variant++
const holder = () => holders[next() % holders.length] as string

const balanceCall = (server: Server) => request('eth_call', [{ to: server.token, data: balanceOf(holder()) }, 'latest'])
const quoteCall = ({ quoter, uniswap: { tokenA: tokenIn, tokenB: tokenOut } }: Server) => {
  const amountIn = 10n ** 18n + BigInt(next())
  const args = [{ tokenIn, tokenOut, amountIn, fee: 3000, sqrtPriceLimitX96: 0n }] as const
  return request('eth_call', [{ to: quoter, data: encodeFunctionData({ abi: quoteAbi, args }) }, 'latest'])
}

const hasResult = (answer: Buffer) => answer.includes('"result"') && !answer.includes('"error"')
/** To look through a whole answer for one log takes as long as to answer it. */
const endsWithLog = (index: number) => (answer: Buffer) =>
  answer.includes(`"logIndex":"0x${index.toString(16)}"`, -1000)

/** Clients that each send one request at a time. */
function reads(clients: number, requestOf: (server: Server) => string, isRight = hasResult): Row['measure'] {
  return async ({ url, ...rest }, round) => {
    const server = { url, ...rest }
    const connections = await Promise.all(Array.from({ length: clients }, () => openHttpClient(url)))
    // The bodies are prepared first, so that the client takes little of the measured time.
    const bodies = Array.from({ length: 2000 }, () => requestOf(server))
    const run = async (ms: number) => {
      const start = performance.now()
      const end = start + ms
      let answers = 0
      await Promise.all(
        connections.map(async (connection, index) => {
          for (let at = index; performance.now() < end; at += clients) {
            const answer = await connection.post(bodies[at % bodies.length] as string)
            if (!isRight(answer)) throw new Error(answer.toString('utf8', 0, 1000))
            answers++
          }
        }),
      )
      return (answers * 1000) / (performance.now() - start)
    }
    if (round === 0) await run(2 * roundMs)
    const result = await run(roundMs)
    for (const connection of connections) connection.close()
    return result
  }
}

async function sendInOrder(url: string, bodies: readonly string[]): Promise<void> {
  const connection = await openHttpClient(url)
  for (const body of bodies) {
    const answer = await connection.post(body)
    if (!answer.includes('"result"')) throw new Error(answer.toString())
  }
  connection.close()
}

/** The number of an account's transactions that are in blocks. */
async function nonceOf(url: string, address: string): Promise<number> {
  const connection = await openHttpClient(url)
  const answer = await connection.post(request('eth_getTransactionCount', [address, 'latest']))
  connection.close()
  return Number((JSON.parse(answer.toString()) as { result: string }).result)
}

/**
 * How many transactions a second were `answered`, and how many were `sealed`. Anvil answers before a transaction is in a
 * block; what it has left to do would slow down the next round of the other server.
 */
async function writes(url: string, bodiesOf: ReadonlyMap<string, readonly string[]>, end: 'answered' | 'sealed') {
  const nonces = new Map<string, number>()
  for (const [address, bodies] of bodiesOf) nonces.set(address, (await nonceOf(url, address)) + bodies.length)
  const count = [...bodiesOf.values()].flat().length
  const answered = async () => {
    await Promise.all([...bodiesOf.values()].map((bodies) => sendInOrder(url, bodies)))
  }
  const sealed = async () => {
    for (const [address, nonce] of nonces) while ((await nonceOf(url, address)) < nonce) await setTimeout(1)
  }
  if (end === 'sealed') return perSecond(count, () => answered().then(sealed))
  const figure = await perSecond(count, answered)
  await sealed()
  return figure
}

const perSecond = async (count: number, task: () => Promise<unknown>) => {
  const start = performance.now()
  await task()
  return (count * 1000) / (performance.now() - start)
}

const transfersInTurn = 100
const transfersOfSender = 25

/** Raw transfers by sender. */
async function signTransfers(url: string): Promise<Map<string, string[]>> {
  const bodiesOf = new Map<string, string[]>()
  for (const account of senders) {
    const first = await nonceOf(url, account.address)
    const bodies: string[] = []
    for (let nonce = first; nonce < first + transfersOfSender; nonce++) {
      const raw = await account.signTransaction({
        chainId: 31337,
        nonce,
        to: holders[nonce % holders.length] as Hex,
        value: BigInt(nonce + 1),
        gas: 21_000n,
        maxFeePerGas: 10n ** 11n,
        maxPriorityFeePerGas: 1n,
        type: 'eip1559',
      })
      bodies.push(request('eth_sendRawTransaction', [raw]))
    }
    bodiesOf.set(account.address, bodies)
  }
  return bodiesOf
}

/** Transfers of one account, whose nonces the server chooses. */
function unsignedTransfers(): Map<string, string[]> {
  const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  const transfer = () => ({ from, to: senders[0]?.address, value: `0x${next().toString(16)}` })
  const bodies = Array.from({ length: transfersInTurn }, () => request('eth_sendTransaction', [transfer()]))
  return new Map([[from, bodies]])
}

const latest = (server: Server) => server.hashes[next() % server.hashes.length]

export const rows: readonly Row[] = [
  { name: 'chainId', required: 0.7, measure: reads(8, () => request('eth_chainId', [])) },
  { name: 'getBalance', required: 0.7, measure: reads(8, () => request('eth_getBalance', [holder(), 'latest'])) },
  {
    name: 'getBlockByNumber',
    required: undefined,
    measure: reads(8, () => request('eth_getBlockByNumber', ['latest', false])),
  },
  {
    name: 'getReceipt',
    required: undefined,
    measure: reads(8, (server) => request('eth_getTransactionReceipt', [latest(server)])),
  },
  {
    name: 'getTransaction',
    required: undefined,
    measure: reads(8, (server) => request('eth_getTransactionByHash', [latest(server)])),
  },
  { name: 'call', required: 0.8, measure: reads(8, balanceCall) },
  { name: 'quote', required: 1.5, measure: reads(8, quoteCall) },
  {
    name: 'batch100',
    required: 3,
    measure: reads(2, (server) => `[${Array.from({ length: 100 }, () => balanceCall(server)).join(',')}]`),
  },
  {
    name: 'getLogs1000',
    required: 2,
    measure: reads(
      4,
      ({ events }) =>
        request('eth_getLogs', [
          { fromBlock: `0x${(1 + (next() % 15)).toString(16)}`, toBlock: 'latest', address: events },
        ]),
      endsWithLog(logCount - 1),
    ),
  },
  {
    name: 'transfersInTurn',
    required: 1,
    measure: ({ url }) => writes(url, unsignedTransfers(), 'sealed'),
  },
  {
    name: 'sixteenSenders',
    required: 1.2,
    measure: async ({ url }) => writes(url, await signTransfers(url), 'sealed'),
  },
  {
    name: 'sixteenSendersAnswered',
    required: undefined,
    measure: async ({ url }) => writes(url, await signTransfers(url), 'answered'),
  },
  {
    name: 'emptyBlocks5000',
    required: 10,
    isOnce: true,
    measure: ({ url }) => perSecond(1, () => sendInOrder(url, [request('anvil_mine', ['0x1388'])])),
  },
]
