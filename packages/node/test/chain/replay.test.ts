import { type Anvil, artifacts, connectClient, deployContract, startAnvil, type TestClient } from '@understudy/testkit'
import { type Address, parseGwei } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'

describe('replay', () => {
  let anvil: Anvil
  let live: TestClient
  let counter: Address
  let network: TestNetwork
  const abi = artifacts.Counter.abi
  const count = (client: TestClient) => client.readContract({ address: counter, abi, functionName: 'number' })
  const untilAt = (number: bigint) =>
    eventually(
      () => network.client.getBlockNumber(),
      (head) => head >= number,
    )

  beforeAll(async () => {
    anvil = await startAnvil({})
    live = await connectClient(anvil.url)
    counter = await deployContract(live, artifacts.Counter, [7n])
  })
  afterAll(() => anvil?.stop())
  beforeEach(async () => {
    network = await startNetwork({ forkUrls: [anvil.url], mine: 'replay' })
  })
  afterEach(() => network?.stop())

  it("seals a block for each of upstream's, with its number, time, fees and randomness", async () => {
    const start = await live.getBlockNumber()
    await live.mine({ blocks: 5, interval: 12 })
    await untilAt(start + 5n)
    for (let number = start + 1n; number <= start + 5n; number++) {
      const [ours, theirs] = [
        await network.client.getBlock({ blockNumber: number }),
        await live.getBlock({ blockNumber: number }),
      ]
      const shown = ({ number, timestamp, baseFeePerGas, mixHash, gasLimit, miner }: typeof ours) => ({
        number,
        timestamp,
        baseFeePerGas,
        mixHash,
        gasLimit,
        miner,
      })
      expect(shown(ours)).toEqual(shown(theirs))
    }
  })

  it('runs what waits first, and then moves untouched state', async () => {
    await live.writeContract({ address: counter, abi, functionName: 'setNumber', args: [100n] })
    await untilAt(await live.getBlockNumber())
    const hash = await network.client.writeContract({
      address: counter,
      abi,
      functionName: 'increment',
      maxFeePerGas: parseGwei('10'),
    })
    expect((await network.client.getTransaction({ hash })).blockNumber).toBeNull()
    await live.writeContract({ address: counter, abi, functionName: 'setNumber', args: [500n] })
    const number = await live.getBlockNumber()
    await untilAt(number)
    expect((await network.client.getTransactionReceipt({ hash })).blockNumber).toBe(number)
    expect(await count(network.client)).toBe(101n)
  })

  it('catches up block by block after it was down', async () => {
    await network.node.stop()
    const start = await live.getBlockNumber()
    await live.mine({ blocks: 250 })
    await network.restart()
    await untilAt(start + 250n)
    const blocks = await Promise.all([1n, 77n, 249n].map((n) => network.client.getBlock({ blockNumber: start + n })))
    expect(blocks.map(({ number }) => number)).toEqual([start + 1n, start + 77n, start + 249n])
    expect(blocks[1]?.parentHash).toBe((await network.client.getBlock({ blockNumber: start + 76n })).hash)
  })

  it('jumps a longer gap in one block', async () => {
    await network.node.stop()
    const start = await live.getBlockNumber()
    await live.mine({ blocks: 30 })
    await network.restart({ replayMaxGap: 20 })
    await untilAt(start + 30n)
    const head = await network.client.getBlock()
    expect(head.number).toBe(start + 30n)
    expect(head.parentHash).toBe((await network.client.getBlock({ blockNumber: start })).hash)
    await expect(network.client.getBlock({ blockNumber: start + 10n })).rejects.toThrow(/could not be found/)
    expect(await network.client.getBalance({ address: counter, blockNumber: start })).toBe(0n)
  })

  it('changes its mode while it runs, and its number never goes back', async () => {
    const before = await network.client.getBlockNumber()
    expect(await network.rpc('dev_setMiningMode', 'instant')).toBe('instant')
    for (let i = 0; i < 3; i++) await network.client.writeContract({ address: counter, abi, functionName: 'increment' })
    const ahead = await network.client.getBlockNumber()
    expect(ahead).toBe(before + 3n)
    expect(await network.rpc('dev_setMiningMode', 'replay')).toBe('replay')
    await live.mine({ blocks: 1 })
    await untilAt(ahead + 1n)
    expect(await network.client.getBlockNumber()).toBe(ahead + 1n)
    await live.mine({ blocks: 10 })
    await untilAt(await live.getBlockNumber())
    for (const mode of ['sometimes', [], {}, { type: 'interval', intervalMs: 0 }])
      await expect(network.rpc('dev_setMiningMode', mode)).rejects.toThrow(
        /params\[0\] \(mode\): expected instant, instant:SECONDS, manual, replay/,
      )
  })
})
