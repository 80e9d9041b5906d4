import { gunzipSync } from 'node:zlib'
import { type Anvil, createFakeClock, startAnvil } from '@understudy/testkit'
import { type Hex, numberToHex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'

const beaconRoots = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
const blockHashes = '0x0000f90827f1c53a10cb7a02335b175320002935'
/** Fewer blocks than a run has: a request for them seals one by one. */
const few = 900

type Block = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex }

const networks = [
  { name: 'in the same second', interval: 0, blocks: 3_000, options: { allowSameTimestamp: true } },
  { name: 'by the clock', interval: 1, blocks: 2_000, options: {} },
  // More than a row has, and than the rings of the system contracts remember.
  { name: 'some seconds apart', interval: 7, blocks: 9_500, options: {} },
]

describe.each(networks)('a run of $blocks empty blocks $name', ({ interval, blocks, options }) => {
  let anvil: Anvil
  /** The same network twice: one seals a run, the other seals block by block. */
  let run: TestNetwork
  let single: TestNetwork
  const both = () => [run, single]

  const mine = (network: TestNetwork, count: number) => network.rpc('anvil_mine', numberToHex(count))
  async function mineBoth(count: number): Promise<void> {
    await mine(run, count)
    for (let left = count; left > 0; left -= few) await mine(single, Math.min(few, left))
  }
  const headOf = async (network: TestNetwork) => Number(await network.rpc<Hex>('eth_blockNumber'))

  /** What both networks answer, which is the same. */
  async function same<T>(method: string, ...params: unknown[]): Promise<T> {
    const [first, second] = await Promise.all(both().map((network) => network.rpc<T>(method, ...params)))
    expect(first, `${method} ${JSON.stringify(params)}`).toEqual(second)
    return first as T
  }

  /** Everything that can be read of a block. */
  async function compareBlock(number: number): Promise<void> {
    const tag = numberToHex(number)
    const block = await same<Block>('eth_getBlockByNumber', tag, true)
    expect(block.number).toBe(tag)
    await same('eth_getBlockByHash', block.hash, false)
    await same('eth_getBlockReceipts', tag)
    await same('debug_getRawBlock', tag)
    await same('eth_feeHistory', '0x14', tag, [50])
    await same('eth_getLogs', { blockHash: block.hash })
    for (const ago of [1, 257, 8191]) {
      await same('eth_getStorageAt', blockHashes, pad(numberToHex((number - ago + 8191 * 2) % 8191)), tag)
      // BLOCKHASH, after a byte of zero: a contract cannot begin with 0xef.
      await same(
        'eth_call',
        { data: `0x61${pad(numberToHex(Math.max(0, number - ago)), { size: 2 }).slice(2)}406020526021601ff3` },
        tag,
      )
    }
    for (const seconds of [0, 300 * interval]) {
      const index = (Number(block.timestamp) - seconds) % 8191
      await same('eth_getStorageAt', beaconRoots, pad(numberToHex(index)), tag)
      await same('eth_getStorageAt', beaconRoots, pad(numberToHex(index + 8191)), tag)
    }
    const asked = pad(block.timestamp)
    await same('eth_call', { to: beaconRoots, data: asked }, tag)
  }

  beforeAll(async () => {
    anvil = await startAnvil()
    const clock = createFakeClock()
    const start = () =>
      startNetwork({ forkUrls: [anvil.url], followHead: false, chainId: 777, accounts: 2, ...options }, { clock })
    run = await start()
    single = await start()
    for (const network of both()) {
      await network.rpc('dev_setBalance', beaconRoots, '5')
      if (interval > 1) await network.rpc('anvil_setBlockTimestampInterval', interval)
    }
    await mineBoth(blocks)
  })
  afterAll(async () => {
    await run?.stop()
    await single?.stop()
    await anvil?.stop()
  })

  it('reads as if each had been sealed by itself', async () => {
    const head = await headOf(run)
    const firstRow = [150, 1000]
    const lastRow = [8192].filter((number) => number < head - 1)
    for (const number of [...firstRow, ...lastRow, head - 257, head]) await compareBlock(number)
    const { parentHash } = await run.client.getBlock()
    const slot = pad(numberToHex((head - 1) % 8191))
    expect(await run.client.getStorageAt({ address: blockHashes, slot })).toBe(parentHash)
    await same('eth_feeHistory', numberToHex(1024), 'latest', [10, 90])
    await same('eth_getLogs', { fromBlock: '0x1', toBlock: 'latest' })
    await same('eth_getBlockByHash', `0x${'12'.repeat(32)}`, false)
    await same('eth_call', { to: blockHashes, data: pad(numberToHex(Math.max(1, head - 8190))) }, 'latest')
  })

  it('is there after a restart', async () => {
    const before = await run.rpc('eth_getBlockByNumber', numberToHex(2000), false)
    await run.restart()
    expect(await run.rpc('eth_getBlockByNumber', numberToHex(2000), false)).toEqual(before)
    await compareBlock(await headOf(run))
  })

  it('is continued by transactions and by more runs, and snapshots lead back to it', async () => {
    const snapshots = await Promise.all(both().map((network) => network.rpc<Hex>('evm_snapshot')))
    const before = await same<Block>('eth_getBlockByNumber', 'latest', false)
    for (const network of both()) {
      const [from] = await network.rpc<Hex[]>('eth_accounts')
      await network.rpc('eth_sendTransaction', { from, to: from, value: '0x1', gas: '0x5208', gasPrice: '0x77359400' })
    }
    await mineBoth(1_500)
    await same('eth_getBlockByNumber', 'latest', true)
    const after = await headOf(run)
    for (const number of [Number(before.number) + 2, after]) await compareBlock(number)
    for (const [index, network] of both().entries())
      expect(await network.rpc('evm_revert', snapshots[index])).toBe(true)
    expect(await same('eth_getBlockByNumber', 'latest', false)).toEqual(before)
  })

  it('is cut by a revert', async () => {
    for (const network of both()) await network.rpc('anvil_rollback', 1200)
    const cut = await headOf(run)
    await compareBlock(cut)
    await compareBlock(cut - 300)
    await run.restart()
    await mineBoth(1)
    await compareBlock(cut + 1)
    await mineBoth(1_100)
    await compareBlock(cut + 1_000)
    const dumps = await Promise.all(both().map((network) => network.rpc<Hex>('anvil_dumpState')))
    const [first, second] = dumps.map((dump) => JSON.parse(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString()))
    expect(first).toEqual(second)
  })
})

describe('announcing a run of empty blocks', () => {
  it('announces its newest blocks', async () => {
    const network = await startNetwork({ accounts: 1 })
    try {
      const filter = await network.rpc('eth_newBlockFilter')
      await network.rpc('anvil_mine', numberToHex(5_000))
      const hashes = await network.rpc<Hex[]>('eth_getFilterChanges', filter)
      expect(hashes.length).toBeGreaterThanOrEqual(256)
      expect(hashes.length).toBeLessThan(1_500)
      expect(hashes.at(-1)).toBe((await network.client.getBlock()).hash)
    } finally {
      await network.stop()
    }
  })

  it('mines no more once the network stops, and finds the blocks that are there by their hashes', async () => {
    const network = await startNetwork({ accounts: 1 })
    try {
      const mined = network.rpc('anvil_mine', numberToHex(1_000_000)).then(
        () => 'all',
        () => 'stopped',
      )
      await eventually(
        () => network.client.getBlockNumber(),
        (head) => head > 1_000n,
      )
      await network.restart()
      expect(await mined).toBe('stopped')
      const head = await network.client.getBlock()
      expect(head.number).toBeLessThan(1_000_000n)
      for (const blockNumber of [head.number, head.number - 1_024n, head.number / 2n]) {
        const { hash } = await network.client.getBlock({ blockNumber })
        expect((await network.client.getBlock({ blockHash: hash })).number).toBe(blockNumber)
      }
      await expect(network.client.getBlock({ blockHash: `0x${'ab'.repeat(32)}` })).rejects.toThrow(/not be found/)
    } finally {
      await network.stop()
    }
  })
})
