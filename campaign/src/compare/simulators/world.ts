import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  connectClient,
  deployContract,
  deployUniswapV2,
  postJsonRpc,
  requireSuccess,
  startAnvil,
  startUnderstudy,
  type TestClient,
  testAccounts,
  type UniswapV2,
} from '@understudy/testkit'
import { type Address, erc20Abi, parseEther } from 'viem'
import { apiHost, startApiHost } from './apiHost.ts'
import { type Contracts, compileContracts } from './contracts.ts'

/** Key with the role `admin`. */
const key = 'simulators-of-others'

/** A network that forks a live chain with Uniswap V2, and answers at api.tenderly.co for this process. */
export type World = {
  /** Its URL, with the key. */
  rpcUrl: string
  key: string
  client: TestClient
  /** Sends and owns everything. */
  owner: Address
  other: Address
  uniswap: UniswapV2
  contracts: Contracts
  /** Both own tokens of `uniswap.tokenA`. */
  treasury: Address
  payloads: Address
  /** Undoes afterwards what the task changes. */
  undone<T>(task: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

export async function startWorld(): Promise<World> {
  const contracts = compileContracts()
  const { treasury, payloads } = contracts
  const anvil = await startAnvil({ chainId: 1 })
  const live = await connectClient(anvil.url)
  const uniswap = await deployUniswapV2(live)
  const treasuryAddress = await deployContract(live, treasury)
  const payloadsAddress = await deployContract(live, payloads)
  for (const holder of [treasuryAddress, payloadsAddress])
    await requireSuccess(
      live,
      await live.writeContract({
        address: uniswap.tokenA,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [holder, parseEther('1000')],
      }),
    )
  // eth_simulateV1 runs calls in the next block, Tenderly's methods in the latest: both are seconds after the last use of the
  // pool, which then writes what it notes once a second.
  await postJsonRpc(anvil.url, 'anvil_mine', ['0x2', '0x3c'])
  const host = await startApiHost()
  const directory = mkdtempSync(join(tmpdir(), 'understudy-simulators-'))
  const network = await startUnderstudy([
    ...['--fork-url', anvil.url, '--no-follow-head', '--data-dir', directory],
    ...['--api-key', `${key}:admin`, '--public-url', `https://${apiHost}`, '--log-level', 'warn'],
  ])
  host.forwardTo(network.url)
  const rpcUrl = `${network.url}/rpc/${key}`
  await postJsonRpc(rpcUrl, 'dev_importContracts', [{ contracts: [payloads.imported] }])
  const client = await connectClient(rpcUrl)
  return {
    rpcUrl,
    key,
    client,
    owner: client.account.address,
    other: testAccounts[1].address,
    uniswap,
    contracts,
    treasury: treasuryAddress,
    payloads: payloadsAddress,
    async undone(task) {
      const snapshot = await postJsonRpc(rpcUrl, 'evm_snapshot', [])
      try {
        return await task()
      } finally {
        await postJsonRpc(rpcUrl, 'evm_revert', [snapshot])
      }
    },
    async stop() {
      await host.stop()
      await network.end()
      await anvil.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
