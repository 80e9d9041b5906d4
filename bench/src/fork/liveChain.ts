import { createRequire } from 'node:module'
import {
  artifacts,
  connectClient,
  deployContract,
  deployUniswapV3,
  postJsonRpc,
  requireSuccess,
  startAnvil,
} from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex } from 'viem'

const { abi: quoterAbi, bytecode: quoterCode } = createRequire(import.meta.url)(
  '@uniswap/v3-periphery/artifacts/contracts/lens/Quoter.sol/Quoter.json',
)
const { abi } = artifacts.SlotReader

/** The parameters of a call that both sides answer. */
export type Work = { to: Address; data: Hex }

/** An anvil as the live chain, with a contract of a thousand slots and the real Uniswap V3. */
export async function startLiveChain() {
  const anvil = await startAnvil({ chainId: 10 })
  const client = await connectClient(anvil.url)
  const reader = await deployContract(client, artifacts.SlotReader)
  const write = async (functionName: 'fillFrom' | 'set', args: readonly [bigint, bigint]) =>
    requireSuccess(client, await client.writeContract({ address: reader, abi, functionName, args }))
  await write('fillFrom', [0n, 1_000n])
  const uniswap = await deployUniswapV3(client)
  await uniswap.swap(10n ** 18n)
  const quoter = await deployContract(client, { abi: quoterAbi, bytecode: quoterCode }, [uniswap.factory, uniswap.weth])

  return {
    anvil,
    /** Reads a hundred slots that do not depend on each other. */
    sum: { to: reader, data: encodeFunctionData({ abi, functionName: 'sum', args: [100n] }) } satisfies Work,
    /** Follows thirty pointers from slot to slot. */
    chase: { to: reader, data: encodeFunctionData({ abi, functionName: 'chase', args: [0n, 30n] }) } satisfies Work,
    quote: {
      to: quoter,
      data: encodeFunctionData({
        abi: quoterAbi,
        functionName: 'quoteExactInputSingle',
        args: [uniswap.tokenA, uniswap.tokenB, 3000, 10n ** 18n, 0n],
      }),
    } satisfies Work,
    /** Mines a block that changes one of the hundred slots; answers what `sum` answers from then on. */
    async change(value: bigint): Promise<Hex> {
      await write('set', [7n, value])
      return call(anvil.url, { to: reader, data: encodeFunctionData({ abi, functionName: 'sum', args: [100n] }) })
    },
    blockNumber: () => client.getBlockNumber(),
    stop: () => anvil.stop(),
  }
}

export type LiveChain = Awaited<ReturnType<typeof startLiveChain>>

export const call = (url: string, work: Work) => postJsonRpc<Hex>(url, 'eth_call', [work, 'latest'])
