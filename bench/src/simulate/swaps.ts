import { artifacts, connectClient, deployUniswapV3 } from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, parseEther } from 'viem'

/** A call of an account that may spend the tokens, to the router of the real Uniswap V3. */
export type Swap = { from: Address; to: Address; data: Hex }

/** A live chain's pool, and swaps in it. Each has another amount than the one before. */
export async function prepareSwaps(url: string): Promise<() => Swap> {
  const client = await connectClient(url)
  const { router, tokenA, tokenB, swap } = await deployUniswapV3(client)
  // The first swap writes what later ones only change.
  await swap(parseEther('1'))
  const from = client.account.address
  let variant = 0n
  return () => {
    const limits = { deadline: 2n ** 64n - 1n, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }
    const amountIn = parseEther('1') + ++variant
    const params = { tokenIn: tokenA, tokenOut: tokenB, fee: 3000, recipient: from, amountIn, ...limits }
    const data = encodeFunctionData({ abi: artifacts.SwapRouter.abi, functionName: 'exactInputSingle', args: [params] })
    return { from, to: router, data }
  }
}

type Row = {
  name: string
  method: string
  /** anvil answers it, too. */
  isCommon?: true
  params(swap: Swap): unknown[]
}

/** What answers a simulation, from the bare output to everything that is known. */
export const rows: readonly Row[] = [
  { name: 'eth_call', method: 'eth_call', isCommon: true, params: (swap) => [swap, 'latest'] },
  {
    name: 'debug_traceCall, callTracer with logs',
    method: 'debug_traceCall',
    isCommon: true,
    params: (swap) => [swap, 'latest', { tracer: 'callTracer', tracerConfig: { withLog: true } }],
  },
  {
    name: 'eth_simulateV1 with transfers',
    method: 'eth_simulateV1',
    isCommon: true,
    params: (swap) => [{ blockStateCalls: [{ calls: [swap] }], traceTransfers: true }, 'latest'],
  },
  { name: 'dev_simulate', method: 'dev_simulate', params: (swap) => [{ calls: [swap] }] },
  { name: 'tenderly_simulateTransaction', method: 'tenderly_simulateTransaction', params: (swap) => [swap, 'latest'] },
  {
    name: 'tenderly_simulateBundle of 3',
    method: 'tenderly_simulateBundle',
    params: (swap) => [[swap, swap, swap], 'latest'],
  },
]
