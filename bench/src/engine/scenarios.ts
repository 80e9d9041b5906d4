import { createRequire } from 'node:module'
import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  deployUniswapV2,
  deployUniswapV3,
  requireSuccess,
  testAccounts,
} from '@understudy/testkit'
import { type Abi, type Address, encodeFunctionData, type Hex } from 'viem'
import { compileWork, repeaterCode } from './contracts.ts'

const require = createRequire(import.meta.url)

/** One kind of work: an inner call, made `repeat` times from the account of the repeater. */
export type Scenario = {
  name: string
  target: Address
  data: Hex
  /** Repetitions in one message, in the fast engines and in ethereumjs. */
  repeat: number
  repeatSlow: number
  /** Must not take longer than anvil. */
  required: boolean
}

const million = 10n ** 24n
const never = 2n ** 64n - 1n
const fee = 3000

/** Positions around the price, so that a large quote crosses ticks. */
async function addNarrowPositions(
  client: Awaited<ReturnType<typeof connectClient>>,
  v3: Awaited<ReturnType<typeof deployUniswapV3>>,
) {
  const [token0, token1] = [v3.tokenA, v3.tokenB].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)) as [
    Address,
    Address,
  ]
  for (let i = 1; i <= 6; i++) {
    const position = {
      token0,
      token1,
      fee,
      tickLower: -600 * i,
      tickUpper: 600 * i,
      amount0Desired: million / 10n,
      amount1Desired: million / 10n,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: client.account.address,
      deadline: never,
    }
    const abi = artifacts.NonfungiblePositionManager.abi
    const hash = await client.writeContract({
      address: v3.positionManager,
      abi,
      functionName: 'mint',
      args: [position],
      // The gas depends on the timestamp: an estimate may be too low.
      gas: 1_000_000n,
    })
    await requireSuccess(client, hash)
  }
}

/** Deploys everything on anvil and lists the scenarios. The owner's account ends up with the repeater's code. */
export async function prepareScenarios(anvil: Anvil): Promise<{ repeater: Address; scenarios: Scenario[] }> {
  const client = await connectClient(anvil.url)
  const owner = testAccounts[0].address
  const v2 = await deployUniswapV2(client)
  const v3 = await deployUniswapV3(client)
  await addNarrowPositions(client, v3)
  const quoterArtifact = require('@uniswap/v3-periphery/artifacts/contracts/lens/Quoter.sol/Quoter.json') as {
    abi: Abi
    bytecode: Hex
  }
  const quoter = await deployContract(client, quoterArtifact, [v3.factory, v3.weth])
  const work = compileWork()
  const worker = await deployContract(client, work)
  const limits = { amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }
  const swapParams = {
    tokenIn: v3.tokenA,
    tokenOut: v3.tokenB,
    fee,
    recipient: owner,
    deadline: never,
    amountIn: 10n ** 18n,
    ...limits,
  }
  const workData = (functionName: string, ...args: unknown[]) =>
    encodeFunctionData({ abi: work.abi, functionName, args })
  await anvil.rpc('anvil_setCode', [owner, repeaterCode])

  const required = (name: string, target: Address, data: Hex, repeat: number, repeatSlow: number): Scenario => ({
    name,
    target,
    data,
    repeat,
    repeatSlow,
    required: true,
  })
  const other = (name: string, data: Hex, repeat: number, repeatSlow: number): Scenario => ({
    name,
    target: worker,
    data,
    repeat,
    repeatSlow,
    required: false,
  })
  return {
    repeater: owner,
    scenarios: [
      required(
        'ERC-20 transfer',
        v2.tokenA,
        encodeFunctionData({ abi: artifacts.PlainToken.abi, functionName: 'transfer', args: [v2.pair, 1n] }),
        3000,
        20,
      ),
      required('arithmetic loop, 10k rounds', worker, workData('arithmetic', 10_000n), 10, 1),
      required('2k keccak rounds', worker, workData('hashes', 2000n), 10, 1),
      required('200 slot writes', worker, workData('writes', 200n), 30, 2),
      required(
        'Uniswap V2 swap',
        v2.router,
        encodeFunctionData({
          abi: artifacts.UniswapV2Router02.abi,
          functionName: 'swapExactTokensForTokens',
          args: [10n ** 18n, 0n, [v2.tokenA, v2.tokenB], owner, never],
        }),
        300,
        3,
      ),
      required(
        'Uniswap V3 swap',
        v3.router,
        encodeFunctionData({ abi: artifacts.SwapRouter.abi, functionName: 'exactInputSingle', args: [swapParams] }),
        150,
        3,
      ),
      required(
        'V3 quote across ticks',
        quoter,
        encodeFunctionData({
          abi: quoterArtifact.abi,
          functionName: 'quoteExactInputSingle',
          args: [v3.tokenA, v3.tokenB, fee, million, 0n],
        }),
        100,
        3,
      ),
      other('2k keccak rounds, inputs never seen', workData('newHashes', 2000n), 10, 1),
      other('division, 1k rounds of three', workData('division', 1000n), 20, 1),
      other('20 ecrecovers', workData('recovers', 20n), 20, 1),
      other('20 creates', workData('creates', 20n), 20, 1),
      other('calldata of 64 KiB', workData('digest', `0x${'ab'.repeat(65536)}`), 20, 1),
      other('memory of 256 KiB', workData('fillMemory', 8192n), 10, 1),
    ],
  }
}
