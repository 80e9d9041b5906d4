import { narrowLiquidity, swapAmount, swapPath, swapSource, wideLiquidity } from '@understudy/testkit'
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem'
import { type CompiledProject, compileProject } from '../compiledProject.ts'
import type { TestNetwork } from '../startNetwork.ts'

export type Swap = {
  project: CompiledProject
  pool: Address
  trader: Address
  /** A view of the pool. */
  read<T>(functionName: string, args?: unknown[]): Promise<T>
  /** Swaps, and answers the hash of the transaction. */
  swap(): Promise<Hex>
}

/** Imports the contracts, deploys them with two positions, and gives the trader what one swap takes. */
export async function deploySwap(network: TestNetwork): Promise<Swap> {
  const { client } = network
  const project = await compileProject({ [swapPath]: swapSource })
  const trader = getAddress(client.account.address)
  await network.rpc('dev_importContracts', { contracts: project.contracts })
  const deploy = async (name: string) => {
    const sent = await client.deployContract({ ...project.deployable(name), args: [], gas: 8_000_000n })
    return getAddress((await client.getTransactionReceipt({ hash: sent })).contractAddress as Address)
  }
  const send = (to: Address, name: string, functionName: string, args: unknown[]) =>
    client.sendTransaction({
      to,
      data: encodeFunctionData({ abi: project.deployable(name).abi, functionName, args }),
      gas: 3_000_000n,
    } as never)
  const pool = await deploy('Pool')
  const router = await deploy('Router')
  const read = <T>(functionName: string, args: unknown[] = []) =>
    client.readContract({ address: pool, abi: project.deployable('Pool').abi, functionName, args }) as Promise<T>
  await send(pool, 'Pool', 'provide', [6000, wideLiquidity])
  await send(pool, 'Pool', 'provide', [600, narrowLiquidity])
  await send(await read('token0'), 'Token', 'mint', [trader, swapAmount])
  return {
    project,
    pool,
    trader,
    read,
    swap: () => send(router, 'Router', 'exactInput', [pool, swapAmount, 'for tea']),
  }
}
