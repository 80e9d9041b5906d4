import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  type FaultProxy,
  requireSuccess,
  startAnvil,
  startFaultProxy,
  type TestClient,
} from '@understudy/testkit'
import type { Address } from 'viem'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'

const { abi } = artifacts.SlotReader

let anvil: Anvil
let proxy: FaultProxy
let live: TestClient
let reader: Address
let network: TestNetwork

beforeEach(async () => {
  anvil = await startAnvil({ chainId: 1 })
  proxy = await startFaultProxy(anvil.url)
  // anvil names itself: it would not be trusted to tell what a block changed, for its state is changed by request too.
  proxy.set({
    answer: ({ method }) => (method === 'web3_clientVersion' ? { result: 'Geth/v1.16.7-stable' } : undefined),
  })
  live = await connectClient(anvil.url)
  reader = await deployContract(live, artifacts.SlotReader)
  await write('fillFrom', 0n, 100n)
})
afterEach(async () => {
  await network.stop()
  await proxy.stop()
  await anvil.stop()
})

async function write(functionName: 'fillFrom' | 'set', a: bigint, b: bigint): Promise<void> {
  await requireSuccess(live, await live.writeContract({ address: reader, abi, functionName, args: [a, b] }))
}

const sum = () => network.client.readContract({ address: reader, abi, functionName: 'sum', args: [100n] })
const slotsRead = () => proxy.stats().byMethod.eth_getStorageAt ?? 0

it('a network that is started again has what it read, and what upstream changed while it was stopped', async () => {
  network = await startNetwork({ forkUrls: [proxy.url] })
  expect(await sum()).toBe(5_050n)
  await network.node.stop()
  await write('set', 3n, 1_004n)
  await live.mine({ blocks: 2 })
  proxy.resetStats()
  await network.restart()
  expect(await sum()).toBe(6_050n)
  // A few are read again, to see whether upstream told every change, and those of the protocol's own contracts.
  expect(slotsRead()).toBeLessThanOrEqual(20)
})

it('a network that stays at a block has its state for good, however far upstream is', async () => {
  network = await startNetwork({ forkUrls: [proxy.url], forkBlockNumber: await live.getBlockNumber() })
  expect(await sum()).toBe(5_050n)
  await write('set', 3n, 1_004n)
  await network.node.stop()
  await live.mine({ blocks: 500 })
  proxy.resetStats()
  await network.restart()
  expect(await sum()).toBe(5_050n)
  expect(slotsRead()).toBe(0)
  // Upstream need not even have it any more.
  proxy.set({ prunedBelow: Number(await live.getBlockNumber()) })
  expect(await sum()).toBe(5_050n)
})
