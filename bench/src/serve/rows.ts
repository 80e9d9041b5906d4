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

const perSecond = async (count: number, task: () => Promise<unknown>) => {
  const start = performance.now()
  await task()
  return (count * 1000) / (performance.now() - start)
}

const transfersInTurn = 100
const transfersOfSender = 25
const nonces = new Map<string, number>()

async function signTransfers(url: string): Promise<string[][]> {
  return Promise.all(
    senders.map(async (account) => {
      const key = `${url} ${account.address}`
      const first = nonces.get(key) ?? 0
      nonces.set(key, first + transfersOfSender)
      const signed: string[] = []
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
        signed.push(request('eth_sendRawTransaction', [raw]))
      }
      return signed
    }),
  )
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
    async measure({ url }) {
      const from = senders[0]?.address
      const bodies = Array.from({ length: transfersInTurn }, () =>
        request('eth_sendTransaction', [
          { from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', to: from, value: `0x${next().toString(16)}` },
        ]),
      )
      return perSecond(bodies.length, () => sendInOrder(url, bodies))
    },
  },
  {
    name: 'sixteenSenders',
    required: 1.2,
    async measure({ url }) {
      const signed = await signTransfers(url)
      return perSecond(senders.length * transfersOfSender, () =>
        Promise.all(signed.map((bodies) => sendInOrder(url, bodies))),
      )
    },
  },
  {
    name: 'emptyBlocks5000',
    required: 10,
    isOnce: true,
    measure: ({ url }) => perSecond(1, () => sendInOrder(url, [request('anvil_mine', ['0x1388'])])),
  },
]
