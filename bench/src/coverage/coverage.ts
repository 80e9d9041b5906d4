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
import { formatDuration, median } from '../median.ts'
import { startUnderstudy } from '../startUnderstudy.ts'

/** Rounds of each row, and about how long a round takes with coverage and without, in milliseconds. */
const rounds = 25
const roundMs = 60

type Row = { name: string; method: 'eth_call' | 'eth_sendTransaction'; transaction: { to?: Hex; data: Hex; gas?: Hex } }

/** Prints what coverage costs calls and transactions that have run before, with it and without it in turns. */
export async function run(): Promise<void> {
  const network = await startUnderstudy([])
  const http = await openHttpClient(network.url)
  try {
    const { from, rows } = await prepare(network.url)
    const send = async ({ method, transaction }: Row, times: number): Promise<number> => {
      const params = method === 'eth_call' ? [{ from, ...transaction }, 'latest'] : [{ from, ...transaction }]
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const begun = performance.now()
      for (let each = 0; each < times; each++) await http.post(body)
      return ((performance.now() - begun) * 1000) / times
    }
    console.log('| request | off | on | ratio | the first one, on |')
    console.log('|---|---|---|---|---|')
    for (const row of rows) {
      await send(row, 50)
      const count = Math.max(3, Math.round((roundMs * 1000) / (await send(row, 20))))
      const times = { off: [] as number[], on: [] as number[], first: [] as number[] }
      for (let round = 0; round < rounds; round++)
        for (const kind of round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
          await postJsonRpc(network.url, kind === 'on' ? 'dev_startCoverage' : 'dev_stopCoverage', []).catch(() => {})
          const first = await send(row, 1)
          if (kind === 'on') times.first.push(first)
          await send(row, 5)
          times[kind].push(await send(row, count))
        }
      const [off, on] = [median(times.off), median(times.on)]
      const cells = [row.name, formatDuration(off), formatDuration(on), (on / off).toFixed(3)]
      console.log(`| ${[...cells, formatDuration(median(times.first))].join(' | ')} |`)
    }
  } finally {
    http.close()
    await network.stop()
  }
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
