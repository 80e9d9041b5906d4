import { type Anvil, artifacts, connectClient, deployContract, startAnvil, type TestClient } from '@understudy/testkit'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import type { IndexerProcess } from './indexerProcess.ts'

/** An event `Plain(uint256 value)` that an indexer has stored. */
export type IndexedEvent = { value: number; transactionHash: Hex }
/** An indexer in a process of its own. */
export type Indexer = {
  /** In the order of the chain. */
  events(): Promise<IndexedEvent[]>
} & IndexerProcess

/** The chain id and the contract of the indexers' projects: the first contract of the first funded account of anvil. */
const chainId = 31337
const contract: Address = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
const { abi } = artifacts.Events

/** An indexer compiles its project when it starts, which takes seconds where other tests run. */
const limits = { timeout: 120_000 }

/**
 * What an indexer must see of a fork. `start` starts it on the network at a URL, with an empty database. `noticesReorgs`: it
 * compares the blocks that it has read with those of the chain, so it can forget what it has indexed.
 */
export function testIndexer(
  name: string,
  start: (url: string) => Promise<Indexer>,
  { noticesReorgs }: { noticesReorgs: boolean },
): void {
  let anvil: Anvil
  let network: TestNetwork

  beforeAll(async () => {
    anvil = await startAnvil()
    const live = await connectClient(anvil.url)
    expect((await deployContract(live, artifacts.Events)).toLowerCase()).toBe(contract)
    for (const value of [1n, 2n, 3n]) await emit(live, value)
    network = await startNetwork({ forkUrls: [anvil.url], logRowsLimit: 40 })
    expect(await network.client.getChainId()).toBe(chainId)
    for (const value of [4n, 5n]) await emit(network.client, value)
  })
  afterAll(async () => {
    await network?.stop()
    await anvil?.stop()
  })

  const emit = (client: TestClient, value: bigint) =>
    client.writeContract({ address: contract, abi, functionName: 'emitPlain', args: [value] })

  /** An indexer looks again when the chain is longer than it was. */
  async function revertAndGoOn(snapshot: Hex): Promise<void> {
    await network.rpc('evm_revert', snapshot)
    await emit(network.client, 7n)
    await network.rpc('anvil_mine', '0x14')
  }

  /** The values of the events that the chain has, when the indexer has exactly these. */
  async function indexedValues(indexer: Indexer, client: TestClient): Promise<number[]> {
    const wanted = await eventsOf(client)
    await eventually(
      async () => {
        indexer.requireRunning()
        return indexer.events()
      },
      (stored) => JSON.stringify(stored) === JSON.stringify(wanted),
    )
    return wanted.map(({ value }) => value)
  }

  describe(name, limits, () => {
    /** It compiles for ten seconds when it starts, so the tests of one chain share it. */
    let indexer: Indexer
    beforeAll(async () => {
      indexer = await start(network.url)
    })
    afterAll(() => indexer?.stop())

    it('indexes events on both sides of the fork, as they come', async () => {
      const before = await indexedValues(indexer, network.client)
      expect(before.slice(0, 5)).toEqual([1, 2, 3, 4, 5])
      await emit(network.client, 6n)
      expect(await indexedValues(indexer, network.client)).toEqual([...before, 6])
    })

    it('never sees what a revert removed while it was behind', async () => {
      const before = await indexedValues(indexer, network.client)
      indexer.pause()
      const snapshot = await network.rpc<Hex>('evm_snapshot')
      for (let value = 20n; value < 30n; value++) await emit(network.client, value)
      await revertAndGoOn(snapshot)
      indexer.resume()
      expect(await indexedValues(indexer, network.client)).toEqual([...before, 7])
    })

    it.runIf(noticesReorgs)('forgets what it has indexed when a revert removes it', async () => {
      const before = await indexedValues(indexer, network.client)
      const snapshot = await network.rpc<Hex>('evm_snapshot')
      for (let value = 20n; value < 30n; value++) await emit(network.client, value)
      expect(await indexedValues(indexer, network.client)).toHaveLength(before.length + 10)
      await revertAndGoOn(snapshot)
      expect(await indexedValues(indexer, network.client)).toEqual([...before, 7])
    })

    it('indexes a branch, and goes on with smaller ranges where a query has too many logs', async () => {
      const { url } = await network.rpc<{ url: string }>('dev_createBranch', { name: 'indexed' })
      const branch = await connectClient(url)
      await emit(branch, 8n)
      const many = { address: contract, abi, functionName: 'emitMany', args: [30n] } as const
      for (let round = 0; round < 3; round++) {
        await branch.writeContract(many)
        // ponder runs out of memory when a range of a single block is suggested to it.
        await branch.mine({ blocks: 8 })
      }
      // Indexers read old blocks in ranges, and the newest ones one by one.
      await branch.mine({ blocks: 100 })
      const other = await start(url)
      try {
        const values = await indexedValues(other, branch)
        expect(values).toContain(8)
        expect(values.length).toBeGreaterThan(90)
      } finally {
        await other.stop()
      }
    })
  })
}

/** Block by block, so that no limit of logs is met. */
async function eventsOf(client: TestClient): Promise<IndexedEvent[]> {
  const events: IndexedEvent[] = []
  const head = await client.getBlockNumber()
  for (let block = 0n; block <= head; block++) {
    const logs = await client.getContractEvents({
      address: contract,
      abi,
      eventName: 'Plain',
      fromBlock: block,
      toBlock: block,
    })
    events.push(...logs.map(({ args, transactionHash }) => ({ value: Number(args.value), transactionHash })))
  }
  return events
}
