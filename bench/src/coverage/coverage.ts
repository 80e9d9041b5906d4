import { createRequire } from 'node:module'
import {
  artifacts,
  connectClient,
  deployContract,
  deployUniswapV2,
  deployUniswapV3,
  postJsonRpc,
} from '@understudy/testkit'
import { encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { openHttpClient } from '../httpClient.ts'
import { startUnderstudy } from '../startUnderstudy.ts'
import { formatDuration, median, quantile } from '../times.ts'

/** Rounds of each row, and about how long a round takes, in milliseconds. */
const rounds = 20
const roundMs = 800

type Row = { name: string; method: 'eth_call' | 'eth_sendTransaction'; transaction: { to?: Hex; data: Hex; gas?: Hex } }
/** Times of requests in microseconds. */
type Times = { off: number[]; on: number[]; first: number[] }

/**
 * Prints what coverage costs calls and transactions that have run before. Two networks get each request in turns, one with
 * coverage and the other without, and swap after each round: neither the other load of the machine nor what
 * differs between the processes counts.
 */
export async function run(): Promise<void> {
  const networks = [await openNetwork(), await openNetwork()]
  try {
    console.log('| request | off | on | ratio: median, quartiles of rounds | the first one, on |')
    console.log('|---|---|---|---|---|')
    const names = networks[0]?.rows.map(({ name }) => name) ?? []
    for (const [at, name] of names.entries()) {
      const opening = networks.map(({ url, bodies }) => openSender(url, bodies[at] as string))
      const senders = await Promise.all(opening)
      const { off, on, ratios, first } = await compare(senders)
      for (const { close } of senders) close()
      const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part).toFixed(3))
      const ratio = `${middle}, ${low} to ${high}`
      console.log(`| ${[name, formatDuration(off), formatDuration(on), ratio, formatDuration(first)].join(' | ')} |`)
    }
  } finally {
    for (const { close } of networks) await close()
  }
}

async function openNetwork() {
  const network = await startUnderstudy([])
  const { from, rows } = await prepare(network.url)
  const bodies = rows.map(({ method, transaction }) => {
    const params = method === 'eth_call' ? [{ from, ...transaction }, 'latest'] : [{ from, ...transaction }]
    return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  })
  return {
    url: network.url,
    rows,
    bodies,
    close: () => network.stop(),
  }
}

/** The time that one in twenty stays below: longer ones are of what else the machine does, and change from round to round. */
const fast = (times: readonly number[]) => quantile(times, 0.05)

/** Sends a request on a connection of its own, which is open only while it is used: networks close what is idle. */
async function openSender(url: string, body: string) {
  const http = await openHttpClient(url)
  return {
    url,
    async send(): Promise<number> {
      const begun = performance.now()
      await http.post(body)
      return (performance.now() - begun) * 1000
    },
    close: () => http.close(),
  }
}

async function compare(senders: readonly { url: string; send: () => Promise<number> }[]) {
  const all: Times = { off: [], on: [], first: [] }
  const ratios: number[] = []
  for (const { send } of senders) for (let each = 0; each < 300; each++) await send()
  for (let round = 0; round < rounds; round++) {
    const own: Times[] = senders.map(() => ({ off: [], on: [], first: [] }))
    for (const turn of [0, 1]) {
      const isOn = (at: number) => (at + round + turn) % 2 === 1
      for (const [at, { url, send }] of senders.entries()) {
        await postJsonRpc(url, isOn(at) ? 'dev_startCoverage' : 'dev_stopCoverage', []).catch(() => {})
        const first = await send()
        if (isOn(at)) all.first.push(first)
        for (let each = 0; each < 10; each++) await send()
      }
      const until = performance.now() + roundMs / 2
      for (let each = 0; performance.now() < until || each < 10; each++)
        for (const at of each % 2 === 0 ? [0, 1] : [1, 0])
          own[at]?.[isOn(at) ? 'on' : 'off'].push((await senders[at]?.send()) ?? 0)
    }
    // Each network against itself.
    ratios.push(Math.sqrt(own.reduce((product, { off, on }) => (product * fast(on)) / fast(off), 1)))
    for (const { off, on } of own) {
      all.off.push(...off)
      all.on.push(...on)
    }
  }
  return { off: fast(all.off), on: fast(all.on), ratios, first: median(all.first) }
}

async function prepare(url: string): Promise<{ from: Hex; rows: Row[] }> {
  const client = await connectClient(url)
  const [from = '0x'] = await postJsonRpc<Hex[]>(url, 'eth_accounts', [])
  const v2 = await deployUniswapV2(client)
  const v3 = await deployUniswapV3(client)
  const quoterArtifact = createRequire(import.meta.url)(
    '@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
  ) as { abi: []; bytecode: Hex }
  const quoter = await deployContract(client, quoterArtifact, [v3.factory, v3.weth] as never)
  const events = await deployContract(client, artifacts.Events)
  const token = artifacts.PlainToken.abi
  const quote = {
    tokenIn: v3.tokenA,
    tokenOut: v3.tokenB,
    amountIn: 10n ** 18n,
    fee: 3000,
    sqrtPriceLimitX96: 0n,
  }
  const never = 2n ** 64n - 1n
  const swap = {
    abi: artifacts.UniswapV2Router02.abi,
    functionName: 'swapExactTokensForTokens',
    args: [10n ** 15n, 0n, [v2.tokenA, v2.tokenB], from, never],
  } as const
  const other: Hex = `0x${'0a'.repeat(20)}`
  const gas: Hex = '0x100000'
  return {
    from,
    rows: [
      {
        name: 'a call of balanceOf',
        method: 'eth_call',
        transaction: {
          to: v2.tokenA,
          data: encodeFunctionData({ abi: token, functionName: 'balanceOf', args: [from] }),
        },
      },
      {
        name: 'a quote of Uniswap V3',
        method: 'eth_call',
        transaction: {
          to: quoter,
          data: encodeFunctionData({
            abi: quoterArtifact.abi,
            functionName: 'quoteExactInputSingle',
            args: [quote],
          } as never),
        },
      },
      {
        name: 'a swap of Uniswap V2, called',
        method: 'eth_call',
        transaction: { to: v2.router, data: encodeFunctionData(swap) },
      },
      {
        name: 'a call of a million gas',
        method: 'eth_call',
        transaction: {
          to: events,
          data: encodeFunctionData({ abi: artifacts.Events.abi, functionName: 'emitMany', args: [500n] }),
        },
      },
      {
        name: 'a creation, called',
        method: 'eth_call',
        transaction: {
          data: encodeDeployData({ ...artifacts.PlainToken, args: ['Plain', 'PLN', 1n] }),
        },
      },
      {
        name: 'a transfer of a token',
        method: 'eth_sendTransaction',
        transaction: {
          to: v2.tokenA,
          data: encodeFunctionData({ abi: token, functionName: 'transfer', args: [other, 1n] }),
          gas,
        },
      },
      {
        name: 'a swap of Uniswap V2',
        method: 'eth_sendTransaction',
        transaction: { to: v2.router, data: encodeFunctionData(swap), gas },
      },
    ],
  }
}
