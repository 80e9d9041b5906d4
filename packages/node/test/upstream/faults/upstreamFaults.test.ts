import {
  type Anvil,
  artifacts,
  connectClient,
  deployContract,
  type FaultProxy,
  type Faults,
  requireSuccess,
  startAnvil,
  startFaultProxy,
  type TestClient,
} from '@understudy/testkit'
import type { Address } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'

const { abi } = artifacts.SlotReader
/** anvil names itself: it would not be trusted to tell what a block changed, for its state is changed by request too. */
const asGeth: NonNullable<Faults['answer']> = ({ method }) =>
  method === 'web3_clientVersion' ? { result: 'Geth/v1.16.7-stable' } : undefined

let anvil: Anvil
let proxy: FaultProxy
let live: TestClient
let reader: Address
let network: TestNetwork

beforeEach(async () => {
  anvil = await startAnvil({ chainId: 1 })
  proxy = await startFaultProxy(anvil.url)
  proxy.set({ answer: asGeth })
  live = await connectClient(anvil.url)
  reader = await deployContract(live, artifacts.SlotReader)
})
afterEach(async () => {
  await network.stop()
  await proxy.stop()
  await anvil.stop()
})

async function write(functionName: 'fill' | 'set', a: bigint, b: bigint): Promise<void> {
  const gas = 29_000_000n
  await requireSuccess(live, await live.writeContract({ address: reader, abi, functionName, args: [a, b], gas }))
}

const sum = (client: TestClient, count: bigint) =>
  client.readContract({ address: reader, abi, functionName: 'sum', args: [count] })

/** Waits until the network stands on upstream's head, and sees there what upstream sees. */
async function untilCaughtUp(count = 10n): Promise<void> {
  const { number, hash } = await live.getBlock()
  await eventually(
    () => network.rpc<{ base: { number: number; hash: string } }>('dev_getNetworkInfo'),
    ({ base }) => base.number === Number(number) && base.hash === hash,
  )
  expect(await sum(network.client, count)).toBe(await sum(live, count))
}

describe('when upstream', () => {
  it('changes 5 of 10 000 cached slots, reads of the others ask for nothing', async () => {
    const total = 10_000n
    for (let key = 0n; key < total; key += 1_000n) await fillFrom(key)
    network = await startNetwork({ forkUrls: [proxy.url], callGasLimit: 200_000_000n })
    const range = (start: bigint, count: bigint) =>
      network.client.readContract({ address: reader, abi, functionName: 'sumFrom', args: [start, count] })
    await range(0n, total)
    for (const key of [9_990n, 9_991n, 9_995n, 9_998n, 9_999n]) await write('set', key, 1n)
    await untilCaughtUp(1n)
    proxy.resetStats()
    const before = await range(0n, 9_990n)
    // A few values are read again at each new head, to see whether upstream told every change.
    expect(proxy.stats().byMethod.eth_getStorageAt ?? 0).toBeLessThanOrEqual(12)
    expect(proxy.stats().byMethod.eth_getCode).toBeUndefined()
    expect(before).toBe(await live.readContract({ address: reader, abi, functionName: 'sumFrom', args: [0n, 9_990n] }))
    expect(await range(9_990n, 10n)).toBe(
      await live.readContract({ address: reader, abi, functionName: 'sumFrom', args: [9_990n, 10n] }),
    )
  }, 60_000)

  it('reorganises twice, the network converges on what is left', async () => {
    await write('fill', 10n, 1n)
    network = await startNetwork({ forkUrls: [proxy.url] })
    for (const depth of [1, 3]) {
      await write('set', 3n, BigInt(depth * 1_000))
      await live.mine({ blocks: 2 })
      await untilCaughtUp()
      await anvil.rpc('anvil_reorg', [depth + 2, []])
      await untilCaughtUp()
      await live.mine({ blocks: 1 })
      await untilCaughtUp()
    }
  })

  it('reorganises below the block where the network was forked, the network follows', async () => {
    await write('fill', 10n, 1n)
    await live.mine({ blocks: 5 })
    network = await startNetwork({ forkUrls: [proxy.url] })
    await anvil.rpc('anvil_reorg', [3, []])
    await live.mine({ blocks: 1 })
    await untilCaughtUp()
    await network.restart()
    await untilCaughtUp()
  })

  it('is silent for ten minutes, the network answers what it has and then jumps to the head', async () => {
    await write('fill', 10n, 1n)
    network = await startNetwork({ forkUrls: [proxy.url], upstreamTimeoutMs: 1_000 })
    await untilCaughtUp()
    await proxy.down()
    await live.mine({ blocks: 50, interval: 12 })
    await write('set', 3n, 4_321n)
    expect(await sum(network.client, 10n)).toBe(55n)
    await proxy.up()
    await untilCaughtUp()
  })

  it('prunes the state of all except its newest blocks, the network continues with its head', async () => {
    await write('fill', 10n, 1n)
    network = await startNetwork({ forkUrls: [proxy.url] })
    await untilCaughtUp()
    await network.node.stop()
    await live.mine({ blocks: 300 })
    await write('set', 3n, 4_321n)
    proxy.set({ prunedBelow: Number(await live.getBlockNumber()) - 2 })
    await network.restart()
    await untilCaughtUp()
    expect(await network.client.getBlockNumber()).toBeGreaterThan(0n)
  })

  it.each<{ fault: string; faults: Faults }>([
    { fault: 'refuses batches', faults: { refuseBatches: 'object' } },
    { fault: 'takes small batches only', faults: { maxBatch: 3 } },
    { fault: 'answers 429 inside batches', faults: { limitItems: { allBut: 2 } } },
    { fault: 'takes two seconds to answer', faults: { delayMs: 2_000 } },
  ])(
    '$fault, the network answers and follows',
    async ({ faults }) => {
      await write('fill', 10n, 1n)
      proxy.set(faults)
      network = await startNetwork({ forkUrls: [proxy.url] })
      await untilCaughtUp()
      await write('set', 3n, 777n)
      await untilCaughtUp()
      await live.mine({ blocks: 3 })
      await untilCaughtUp()
    },
    60_000,
  )
})

/** Fills a thousand slots from `key` on. */
async function fillFrom(key: bigint): Promise<void> {
  const gas = 29_000_000n
  await requireSuccess(
    live,
    await live.writeContract({ address: reader, abi, functionName: 'fillFrom', args: [key, 1_000n], gas }),
  )
}
