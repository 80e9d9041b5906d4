import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import {
  type Anvil,
  type ChainShape,
  connectClient,
  createFakeClock,
  postJsonRpc,
  type ShapedChain,
  startAnvil,
  startShapedChain,
  startUnderstudy,
} from '@understudy/testkit'
import { type Hex, numberToHex, pad } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beaconRoots, blockHashes } from '../../../src/ethereum/systemRings.ts'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'
import { refusesProbe } from '../../upstream/chainShapes.ts'

/** The code of EIP-4788, which anvil does not have. */
const beaconRootsCode =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500'
/** Fewer blocks than a run has: a request for them seals one by one. */
const few = 900

type Block = { number: Hex; hash: Hex; parentHash: Hex; timestamp: Hex }

/** A network that seals block by block is compared with, not tested: it is quicker in a file, wherever the other one is kept. */
const inFile = { databaseUrl: undefined, network: undefined }

/** When Cancun began on Ethereum. */
const cancun = 1_710_338_135

const networks: { name: string; interval: number; blocks: number; options: object; shape?: ChainShape }[] = [
  { name: 'in the same second', interval: 0, blocks: 1_500, options: { allowSameTimestamp: true } },
  { name: 'by the clock', interval: 1, blocks: 1_500, options: {} },
  // More than a row has, and than the rings of the system contracts remember.
  { name: 'some seconds apart', interval: 7, blocks: 9_500, options: {} },
  {
    name: 'across a hard fork',
    interval: 7,
    blocks: 2_500,
    options: {},
    // Dates decide where upstream shows nothing.
    shape: {
      anvil: {
        chainId: 1,
        hardfork: 'shanghai',
        args: ['--number', '19000000', '--timestamp', String(cancun - 7 * 1_250)],
      },
      answer: refusesProbe,
      missing: ['eth_config'],
    },
  },
]

describe.each(networks)('a run of $blocks empty blocks $name', ({ interval, blocks, options, shape }) => {
  let anvil: Anvil | ShapedChain
  /** The same network twice: one seals a run, the other seals block by block. */
  let run: TestNetwork
  let single: TestNetwork
  let origin: number
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
        { data: `0x63${pad(numberToHex(Math.max(0, number - ago)), { size: 4 }).slice(2)}406020526021601ff3` },
        tag,
      )
    }
    for (const seconds of [0, 300 * interval]) {
      const index = (Number(block.timestamp) - seconds) % 8191
      await same('eth_getStorageAt', beaconRoots, pad(numberToHex(index)), tag)
      await same('eth_getStorageAt', beaconRoots, pad(numberToHex(index + 8191)), tag)
    }
    const hasRoots = !shape || Number(block.timestamp) >= cancun
    if (hasRoots) await same('eth_call', { to: beaconRoots, data: pad(block.timestamp) }, tag)
  }

  beforeAll(async () => {
    anvil = shape ? await startShapedChain(shape) : await startAnvil()
    await anvil.rpc('anvil_setCode', [beaconRoots, beaconRootsCode])
    const clock = createFakeClock()
    const start = (changes: object) =>
      startNetwork(
        { forkUrls: [anvil.url], followHead: false, chainId: 777, accounts: 2, ...options, ...changes },
        { clock },
      )
    run = await start({})
    single = await start(inFile)
    origin = await headOf(run)
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
    const firstRow = [150, 1000].map((number) => origin + number)
    const lastRow = [origin + 8192].filter((number) => number < head - 1)
    for (const number of [...firstRow, ...lastRow, head - 257, head]) await compareBlock(number)
    const { parentHash, timestamp } = await run.client.getBlock()
    const hashSlot = pad(numberToHex((head - 1) % 8191))
    // Before Prague, there is no such contract.
    const hash = shape ? pad('0x') : parentHash
    expect(await run.client.getStorageAt({ address: blockHashes, slot: hashSlot })).toBe(hash)
    const timeSlot = pad(numberToHex(timestamp % 8191n))
    expect(await run.client.getStorageAt({ address: beaconRoots, slot: timeSlot })).toBe(pad(numberToHex(timestamp)))
    await same('eth_feeHistory', numberToHex(1024), 'latest', [10, 90])
    await same('eth_getLogs', { fromBlock: numberToHex(origin + 1), toBlock: 'latest' })
    await same('eth_getBlockByHash', `0x${'12'.repeat(32)}`, false)
    await same('eth_call', { to: blockHashes, data: pad(numberToHex(Math.max(1, head - 8190))) }, 'latest')
  })

  it('is there after a restart', async () => {
    const before = await run.rpc('eth_getBlockByNumber', numberToHex(origin + 1200), false)
    await run.restart()
    expect(await run.rpc('eth_getBlockByNumber', numberToHex(origin + 1200), false)).toEqual(before)
    await compareBlock(await headOf(run))
  })

  it('is continued by transactions and by more runs, and snapshots lead back to it', async () => {
    const snapshots = await Promise.all(both().map((network) => network.rpc<Hex>('evm_snapshot')))
    const before = await same<Block>('eth_getBlockByNumber', 'latest', false)
    for (const network of both()) {
      const [from] = await network.rpc<Hex[]>('eth_accounts')
      await network.rpc('eth_sendTransaction', { from, to: from, value: '0x1', gas: '0x5208', gasPrice: '0x77359400' })
    }
    await mineBoth(1_100)
    await same('eth_getBlockByNumber', 'latest', true)
    const after = await headOf(run)
    for (const number of [Number(before.number) + 2, after]) await compareBlock(number)
    for (const [index, network] of both().entries())
      expect(await network.rpc('evm_revert', snapshots[index])).toBe(true)
    expect(await same('eth_getBlockByNumber', 'latest', false)).toEqual(before)
  })

  it('is cut by a revert', async () => {
    for (const network of both()) await network.rpc('anvil_rollback', 1000)
    const cut = await headOf(run)
    await compareBlock(cut)
    await compareBlock(cut - 300)
    await run.restart()
    await mineBoth(1)
    await compareBlock(cut + 1)
    await mineBoth(1_050)
    await compareBlock(cut + 1_000)
    const dumps = await Promise.all(both().map((network) => network.rpc<Hex>('anvil_dumpState')))
    const [first, second] = dumps.map((dump) => JSON.parse(gunzipSync(Buffer.from(dump.slice(2), 'hex')).toString()))
    expect(first).toEqual(second)
  })
})

/** A run that a change waits for is short: sends transactions until one is sealed after block `number`. Returns its block. */
async function transferAfter(url: string, number: bigint): Promise<bigint> {
  const [from] = await postJsonRpc<Hex[]>(url, 'eth_accounts', [])
  const transfer = { from, to: from, value: '0x1', gas: '0x5208' }
  return eventually(
    async () => {
      const hash = await postJsonRpc<Hex>(url, 'eth_sendTransaction', [transfer])
      const receipt = await postJsonRpc<{ blockNumber: Hex }>(url, 'eth_getTransactionReceipt', [hash])
      return BigInt(receipt.blockNumber)
    },
    (sealed) => sealed > number,
  )
}

/** Sends a request for many blocks, and waits until some are there. `mined` is "gone" once `client` is. */
async function beginToMine(network: TestNetwork) {
  const client = new AbortController()
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_mine', params: [5_000_000] })
  const mined = fetch(network.url, { method: 'POST', body, signal: client.signal }).catch(() => 'gone')
  const between = await transferAfter(network.url, 1_000n)
  return { client, mined, between, head: () => network.client.getBlockNumber() }
}

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

  it('lets other changes in between', async () => {
    const network = await startNetwork({ accounts: 1 })
    try {
      const { client, mined, between } = await beginToMine(network)
      expect(await transferAfter(network.url, between + 1_000n)).toBeLessThan(5_000_000n)
      client.abort()
      expect(await mined).toBe('gone')
    } finally {
      await network.stop()
    }
  })

  it('mines no more once the client is gone, and shows how far it is', async () => {
    const network = await startNetwork({ accounts: 1 })
    try {
      const { client, mined, head } = await beginToMine(network)
      client.abort()
      expect(await mined).toBe('gone')
      // Others come between its turns. What was being sealed is there; then it stands still.
      await network.rpc('anvil_mine', '0x1')
      const before = await head()
      await network.rpc('anvil_mine', '0x1')
      expect(await head()).toBe(before + 1n)
      expect(before).toBeLessThan(1_000_000n)
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
      await transferAfter(network.url, 1_000n)
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

describe('a process that is killed while it seals many empty blocks', () => {
  it('has all of those that it showed, with what the protocol wrote in them', async () => {
    const anvil = await startAnvil()
    await anvil.rpc('anvil_setCode', [beaconRoots, beaconRootsCode])
    const directory = mkdtempSync(join(tmpdir(), 'understudy-runs-'))
    const start = () => startUnderstudy(['--fork-url', anvil.url, '--data-dir', directory])
    let run = await start()
    try {
      const before = await connectClient(run.url)
      postJsonRpc(run.url, 'anvil_mine', [5_000_000]).catch(() => 'killed')
      await transferAfter(run.url, 30_000n)
      const shown = await before.getBlock()
      await run.end('SIGKILL')
      run = await start()
      const after = await connectClient(run.url)
      expect(await after.getBlock({ blockHash: shown.hash })).toEqual(shown)
      const head = await after.getBlock()
      expect(head.number).toBeGreaterThanOrEqual(shown.number)
      for (const number of [head.number, shown.number - 5_000n, 9_000n]) {
        const block = await after.getBlock({ blockNumber: number })
        for (const ago of [1n, 8_191n]) {
          const slot = pad(numberToHex((number - ago) % 8191n))
          const { hash } = await after.getBlock({ blockNumber: number - ago })
          expect(await after.getStorageAt({ address: blockHashes, slot, blockNumber: number })).toBe(hash)
        }
        const slot = pad(numberToHex(block.timestamp % 8191n))
        const time = await after.getStorageAt({ address: beaconRoots, slot, blockNumber: number })
        expect(BigInt(time ?? 0)).toBe(block.timestamp)
      }
      await postJsonRpc(run.url, 'anvil_mine', ['0x1'])
      expect((await after.getBlock()).parentHash).toBe(head.hash)
    } finally {
      await run.end('SIGKILL')
      await anvil.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  })
})
