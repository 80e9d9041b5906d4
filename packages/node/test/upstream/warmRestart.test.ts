import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  type FaultProxy,
  postJsonRpc,
  requireSuccess,
  startAnvil,
  startFaultProxy,
  startUnderstudy,
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
let network: TestNetwork | undefined

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
  await network?.stop()
  network = undefined
  await proxy.stop()
  await anvil.stop()
})

async function write(functionName: 'fillFrom' | 'set', a: bigint, b: bigint): Promise<void> {
  await requireSuccess(live, await live.writeContract({ address: reader, abi, functionName, args: [a, b] }))
}

const sumOf = (client: TestClient) => client.readContract({ address: reader, abi, functionName: 'sum', args: [100n] })
const slotsRead = () => proxy.stats().byMethod.eth_getStorageAt ?? 0

it('a network that is started again has what it read, and what upstream changed while it was stopped', async () => {
  network = await startNetwork({ forkUrls: [proxy.url] })
  expect(await sumOf(network.client)).toBe(5_050n)
  await network.node.stop()
  await write('set', 3n, 1_004n)
  await live.mine({ blocks: 2 })
  proxy.resetStats()
  await network.restart()
  expect(await sumOf(network.client)).toBe(6_050n)
  // A few are read again, to see whether upstream told every change, and those of the protocol's own contracts.
  expect(slotsRead()).toBeLessThanOrEqual(20)
})

it('a network that stays at a block has its state for good, however far upstream is', async () => {
  network = await startNetwork({ forkUrls: [proxy.url], forkBlockNumber: await live.getBlockNumber() })
  expect(await sumOf(network.client)).toBe(5_050n)
  await write('set', 3n, 1_004n)
  await network.node.stop()
  await live.mine({ blocks: 500 })
  proxy.resetStats()
  await network.restart()
  expect(await sumOf(network.client)).toBe(5_050n)
  expect(slotsRead()).toBe(0)
  // Upstream need not even have it any more.
  proxy.set({ prunedBelow: Number(await live.getBlockNumber()) })
  expect(await sumOf(network.client)).toBe(5_050n)
})

it('a network that is killed has what it read, and asks only for the head while that has not moved', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'understudy-warm-'))
  const start = () => startUnderstudy(['--fork-url', proxy.url, '--data-dir', directory])
  let run = await start()
  try {
    expect(await sumOf(await connectClient(run.url))).toBe(5_050n)
    // One commit comes after the other: what was read is stored before the second of these is answered.
    for (const blocks of ['0x1', '0x1']) await postJsonRpc(run.url, 'anvil_mine', [blocks])
    await run.end('SIGKILL')
    proxy.resetStats()
    run = await start()
    expect(await sumOf(await connectClient(run.url))).toBe(5_050n)
    expect(Object.keys(proxy.stats().byMethod).sort()).toEqual(['eth_chainId', 'eth_getBlockByNumber'])
  } finally {
    await run.end()
    rmSync(directory, { recursive: true, force: true })
  }
})
