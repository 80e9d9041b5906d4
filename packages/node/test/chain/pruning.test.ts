import { statSync } from 'node:fs'
import { join } from 'node:path'
import { artifacts, createFakeClock, deployContract, type FakeClock, requireSuccess } from '@understudy/testkit'
import { type Address, encodeFunctionData, numberToHex } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/storage/openDatabase.ts'
import { loadBlocks } from '../../src/storage/records/chain/blocks.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { isInDatabase } from '../testDatabase.ts'

const keepBlocks = 256
const minuteMs = 60_000

describe('--keep-blocks', () => {
  let clock: FakeClock
  let network: TestNetwork
  let counter: Address

  const { abi } = artifacts.Counter
  const mine = (blocks: number) => network.rpc('anvil_mine', numberToHex(blocks))
  const head = async () => Number(await network.rpc<string>('eth_blockNumber'))
  const countAt = (blockNumber: number) =>
    network.client.readContract({ address: counter, abi, functionName: 'number', blockNumber: BigInt(blockNumber) })
  const increment = async () => {
    const hash = await network.client.writeContract({ address: counter, abi, functionName: 'increment' })
    return requireSuccess(network.client, hash)
  }
  /** The blocks that are in the database, which only one process may open. */
  const blocksStored = async () => {
    await network.node.stop()
    const database = await openDatabase(network.location)
    const blocks = await loadBlocks(database.queries, 0n, BigInt(Number.MAX_SAFE_INTEGER))
    await database.close()
    await network.restart()
    return blocks.length
  }
  /** Until nothing is being forgotten. */
  const isWaiting = () =>
    eventually(
      async () => clock.pending(),
      (timers) => timers.includes(minuteMs),
    )
  /** What was out of reach when the first minute began goes at its end; the rest a minute later. */
  const forget = async () => {
    for (let minute = 0; minute < 2; minute++) {
      await isWaiting()
      clock.advance(minuteMs)
    }
    await isWaiting()
  }

  beforeEach(async () => {
    clock = createFakeClock()
    network = await startNetwork({ keepBlocks }, { clock })
    counter = await deployContract(network.client, artifacts.Counter, [0n])
  })
  afterEach(() => network.stop())

  it('reverts to a snapshot whose block is out of reach, until it is forgotten', async () => {
    await increment()
    const at = await head()
    const snapshots = [await network.rpc('evm_snapshot'), await network.rpc('evm_snapshot')]
    await mine(300)
    expect(await network.rpc('evm_revert', snapshots[1])).toBe(true)
    expect(await head()).toBe(at)
    await mine(300)
    await forget()
    expect(await network.rpc('evm_revert', snapshots[0])).toBe(false)
  })

  it('forgets older blocks a minute after, and says so when they are read', async () => {
    const seen = new Map<number, bigint>()
    for (let step = 0; step < 30; step++) {
      await increment()
      await mine(19)
      seen.set(await head(), BigInt(step + 1))
    }
    const newest = await head()
    const oldest = newest - keepBlocks + 1
    const readAll = async () => {
      for (const [number, count] of seen) {
        if (number >= oldest) expect(await countAt(number)).toBe(count)
        else await expect(countAt(number)).rejects.toThrow(`block ${number} is older than --keep-blocks allows`)
      }
    }
    await readAll()
    expect(await blocksStored()).toBe(newest)
    await forget()
    expect(await blocksStored()).toBe(keepBlocks)
    await readAll()
    expect(await countAt(newest)).toBe(30n)
    await expect(network.rpc('eth_getBlockByNumber', numberToHex(oldest - 1), false)).rejects.toMatchObject({
      code: 4444,
    })
    await expect(network.rpc('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })).rejects.toMatchObject({
      code: 4444,
    })
    expect(await network.rpc('eth_getBlockByNumber', numberToHex(oldest), false)).toMatchObject({
      number: numberToHex(oldest),
    })

    await network.restart()
    await readAll()
    await network.restart({ keepBlocks: undefined })
    await readAll()
    await increment()
    expect(await countAt(newest + 1)).toBe(31n)
  })

  it('forgets runs of empty blocks when no block needs them', async () => {
    await mine(12_000)
    const number = await head()
    const { hash } = await network.client.getBlock({ blockNumber: BigInt(number - 100) })
    await forget()
    await expect(network.client.getBlock({ blockNumber: BigInt(number - 300) })).rejects.toThrow('pruned')
    expect(await countAt(number - 200)).toBe(0n)
    expect((await network.client.getBlock({ blockNumber: BigInt(number - 100) })).hash).toBe(hash)
    // What the oldest kept block reads of earlier ones is in the run before it.
    expect(await blocksStored()).toBeLessThan(12_000)
    await mine(20_000)
    await forget()
    expect(await countAt(number + 19_900)).toBe(0n)
    expect(await blocksStored()).toBeLessThan(3 * 8192)
  })

  it('keeps what was written long ago and given to no one since', async () => {
    const someone: Address = `0x${'5e'.repeat(20)}`
    await network.rpc('dev_setBalance', someone, '5')
    const call = encodeFunctionData({ abi, functionName: 'setNumber', args: [77n] })
    await requireSuccess(network.client, await network.client.sendTransaction({ to: counter, data: call }))
    await mine(1000)
    await forget()
    expect(await blocksStored()).toBe(keepBlocks)
    const newest = await head()
    expect(await countAt(newest - keepBlocks + 1)).toBe(77n)
    expect(await network.client.getBalance({ address: someone, blockNumber: BigInt(newest - 200) })).toBe(5n)
    await network.restart()
    expect(await countAt(newest)).toBe(77n)
  })

  it.skipIf(isInDatabase)(
    'stays small: an empty block costs some hundred bytes until it is forgotten, and then its room is used again',
    {
      timeout: 120_000,
    },
    async () => {
      const size = () => statSync(join(network.directory, 'network.sqlite')).size
      await mine(2000)
      await network.restart()
      const perBlock = size() / 2000
      expect(perBlock).toBeLessThan(800)
      await forget()
      // Runs of empty blocks stay while the system contracts remember one of them.
      await mine(12_000)
      await forget()
      await network.restart()
      const before = size()
      for (let round = 0; round < 3; round++) {
        await mine(1500)
        await forget()
      }
      await network.restart()
      expect(size()).toBeLessThan(before * 1.1 + 100_000)
    },
  )
})
