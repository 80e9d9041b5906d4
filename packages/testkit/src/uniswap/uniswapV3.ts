import { type Address, type Hex, zeroAddress } from 'viem'
import {
  NonfungiblePositionManager,
  PlainToken,
  SwapRouter,
  UniswapV3Factory,
  UniswapV3Pool,
  WETH9,
} from '../../generated/index.js'
import { deployContract, requireSuccess, type TestClient } from '../client.ts'

export type UniswapV3 = {
  readonly weth: Address
  readonly factory: Address
  readonly router: Address
  readonly positionManager: Address
  readonly tokenA: Address
  readonly tokenB: Address
  /** The pool of the two tokens at 0.3 %: price 1, one full-range position of a million of each. */
  readonly pool: Address
  /** Swaps an exact amount of `tokenA` for `tokenB`, or the other way round, as the client's account; waits for the receipt. */
  swap(amountIn: bigint, direction?: 'A to B' | 'B to A', client?: TestClient): Promise<Hex>
  /** Reads the pool's current tick. */
  tick(client?: TestClient): Promise<number>
}

const million = 10n ** 24n
const never = 2n ** 64n - 1n
const fee = 3000
/** What a pool needs depends on the second, for its oracle: an estimate may be short. */
const gas = 1_000_000n
/** The widest range that the tick spacing of the 0.3 % pools (60) allows. */
const fullRange = [-887220, 887220] as const

/** Deploys the real Uniswap V3 of npm (factory, router, position manager, WETH) with two tokens and a pool that holds a million of each. */
export async function deployUniswapV3(client: TestClient): Promise<UniswapV3> {
  const owner = client.account.address
  const weth = await deployContract(client, WETH9)
  const factory = await deployContract(client, UniswapV3Factory)
  const router = await deployContract(client, SwapRouter, [factory, weth])
  const positionManager = await deployContract(client, NonfungiblePositionManager, [factory, weth, zeroAddress])
  const tokenA = await deployContract(client, PlainToken, ['Token A', 'TKA', 1000n * million])
  const tokenB = await deployContract(client, PlainToken, ['Token B', 'TKB', 1000n * million])
  for (const address of [tokenA, tokenB]) {
    for (const spender of [router, positionManager]) {
      const approve = {
        address,
        abi: PlainToken.abi,
        functionName: 'approve',
        args: [spender, 2n ** 256n - 1n],
      } as const
      await requireSuccess(client, await client.writeContract(approve))
    }
  }

  const [token0, token1] = tokenA.toLowerCase() < tokenB.toLowerCase() ? [tokenA, tokenB] : [tokenB, tokenA]
  const managerAbi = NonfungiblePositionManager.abi
  const create = await client.writeContract({
    address: positionManager,
    abi: managerAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0, token1, fee, 2n ** 96n],
    gas: 8_000_000n,
  })
  await requireSuccess(client, create)
  const [tickLower, tickUpper] = fullRange
  const amounts = { amount0Desired: million, amount1Desired: million, amount0Min: 0n, amount1Min: 0n }
  const position = { token0, token1, fee, tickLower, tickUpper, ...amounts, recipient: owner, deadline: never }
  const mint = { address: positionManager, abi: managerAbi, functionName: 'mint', args: [position], gas } as const
  await requireSuccess(client, await client.writeContract(mint))
  const pool = await client.readContract({
    address: factory,
    abi: UniswapV3Factory.abi,
    functionName: 'getPool',
    args: [tokenA, tokenB, fee],
  })

  return {
    weth,
    factory,
    router,
    positionManager,
    tokenA,
    tokenB,
    pool,
    async swap(amountIn, direction = 'A to B', by = client) {
      const [tokenIn, tokenOut] = direction === 'A to B' ? [tokenA, tokenB] : [tokenB, tokenA]
      const limits = { deadline: never, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }
      const params = { tokenIn, tokenOut, fee, recipient: by.account.address, amountIn, ...limits }
      const hash = await by.writeContract({
        address: router,
        abi: SwapRouter.abi,
        functionName: 'exactInputSingle',
        args: [params],
        gas,
      })
      await requireSuccess(by, hash)
      return hash
    },
    async tick(by = client) {
      const slot0 = await by.readContract({ address: pool, abi: UniswapV3Pool.abi, functionName: 'slot0' })
      return slot0[1]
    },
  }
}
