import type { Address, Hex } from 'viem'
import { PlainToken, UniswapV2Factory, UniswapV2Pair, UniswapV2Router02, WETH9 } from '../../generated/index.js'
import { deployContract, requireSuccess, type TestClient } from '../client.ts'

export type UniswapV2 = {
  readonly weth: Address
  readonly factory: Address
  readonly router: Address
  readonly tokenA: Address
  readonly tokenB: Address
  /** The pool of the two tokens; one million of each in it. */
  readonly pair: Address
  /** Swaps an exact amount of `tokenA` for `tokenB`, or the other way round, as the client's account; waits for the receipt. */
  swap(amountIn: bigint, direction?: 'A to B' | 'B to A', client?: TestClient): Promise<Hex>
  /** Reads the pool's reserves in the order of `tokenA`, `tokenB`. */
  reserves(client?: TestClient): Promise<readonly [a: bigint, b: bigint]>
}

const million = 10n ** 24n
const never = 2n ** 64n - 1n

/** Deploys the real Uniswap V2 of npm (factory, router, WETH) with two tokens and a pool that holds a million of each. */
export async function deployUniswapV2(client: TestClient): Promise<UniswapV2> {
  const owner = client.account.address
  const weth = await deployContract(client, WETH9)
  const factory = await deployContract(client, UniswapV2Factory, [owner])
  const router = await deployContract(client, UniswapV2Router02, [factory, weth])
  const tokenA = await deployContract(client, PlainToken, ['Token A', 'TKA', 1000n * million])
  const tokenB = await deployContract(client, PlainToken, ['Token B', 'TKB', 1000n * million])
  for (const address of [tokenA, tokenB]) {
    const approve = { address, abi: PlainToken.abi, functionName: 'approve', args: [router, 2n ** 256n - 1n] } as const
    await requireSuccess(client, await client.writeContract(approve))
  }
  const liquidity = [tokenA, tokenB, million, million, 0n, 0n, owner, never] as const
  const call = { address: router, abi: UniswapV2Router02.abi, functionName: 'addLiquidity', args: liquidity } as const
  await requireSuccess(client, await client.writeContract(call))
  const pair = await client.readContract({
    address: factory,
    abi: UniswapV2Factory.abi,
    functionName: 'getPair',
    args: [tokenA, tokenB],
  })

  return {
    weth,
    factory,
    router,
    tokenA,
    tokenB,
    pair,
    async swap(amountIn, direction = 'A to B', by = client) {
      const path = direction === 'A to B' ? [tokenA, tokenB] : [tokenB, tokenA]
      const hash = await by.writeContract({
        address: router,
        abi: UniswapV2Router02.abi,
        functionName: 'swapExactTokensForTokens',
        args: [amountIn, 0n, path, by.account.address, never],
        // The first swap of a second writes the price accumulators too: an estimate in the second before is too low.
        gas: 300_000n,
      })
      await requireSuccess(by, hash)
      return hash
    },
    async reserves(by = client) {
      const abi = UniswapV2Pair.abi
      const [zero, one] = await by.readContract({ address: pair, abi, functionName: 'getReserves' })
      return tokenA.toLowerCase() < tokenB.toLowerCase() ? [zero, one] : [one, zero]
    },
  }
}
