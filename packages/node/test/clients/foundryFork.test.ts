import {
  type Anvil,
  artifacts,
  connectClient,
  createFoundryProject,
  deployContract,
  type FaultProxy,
  type FoundryProject,
  requireSuccess,
  startAnvil,
  startFaultProxy,
} from '@understudy/testkit'
import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const slots = 60

let anvil: Anvil
let proxy: FaultProxy
let network: TestNetwork
let project: FoundryProject
let block: bigint
beforeAll(async () => {
  anvil = await startAnvil()
  proxy = await startFaultProxy(anvil.url)
  const live = await connectClient(anvil.url)
  const { abi } = artifacts.SlotReader
  const reader = await deployContract(live, artifacts.SlotReader)
  const filled = { address: reader, abi, functionName: 'fillFrom', args: [0n, BigInt(slots)] } as const
  await requireSuccess(live, await live.writeContract(filled))
  block = await live.getBlockNumber()
  await live.mine({ blocks: 1 })
  network = await startNetwork({ forkUrls: [proxy.url], followHead: false, pollIntervalMs: 60_000 })
  // What an execution here reads comes along when forge reads the first of it.
  await network.client.readContract({ address: reader, abi, functionName: 'sum', args: [BigInt(slots)] })
  project = await createFoundryProject({
    'test/Sum.t.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Reader {
    function sum(uint256 count) external view returns (uint256);
}

contract SumTest {
    function testSum() public view {
        require(Reader(${getAddress(reader)}).sum(${slots}) == ${(slots * (slots + 1)) / 2});
    }
}
`,
  })
})
afterAll(async () => {
  await project?.stop()
  await network?.stop()
  await proxy?.stop()
  await anvil?.stop()
})

async function testOn(url: string) {
  proxy.resetStats()
  const printed = await project.run(
    ...(['forge', 'test', '--fork-url', url, '--fork-block-number', `${block}`, '--no-storage-caching'] as const),
  )
  expect(printed).toContain('1 tests passed')
  return proxy.stats()
}

it('lets forge test fork a network, in fewer round trips than the live chain', async () => {
  expect((await testOn(proxy.url)).requests).toBeGreaterThan(slots)
  const { requests, byMethod } = await testOn(network.url)
  expect(requests).toBeLessThan(slots / 3)
  expect(byMethod.eth_getStorageAt).toBeGreaterThanOrEqual(slots)
  expect((await testOn(network.url)).byMethod.eth_getStorageAt).toBeUndefined()
}, 120_000)

it('fails where a program of Foundry fails', async () => {
  await expect(project.run('cast', 'to-dec', 'nothing')).rejects.toThrow('cast to-dec')
})
