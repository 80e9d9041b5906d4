import { type Anvil, type FaultProxy, startAnvil, startFaultProxy } from '@understudy/testkit'
import { type Hex, numberToHex } from 'viem'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'

type Block = { number: Hex; hash: Hex; timestamp: Hex }

const otherHash: Hex = `0x${'fa'.repeat(32)}`
const day = 86_400

let anvil: Anvil
let proxy: FaultProxy
let network: TestNetwork

beforeEach(async () => {
  anvil = await startAnvil()
  proxy = await startFaultProxy(anvil.url)
  network = await startNetwork({ forkUrls: [proxy.url], pollIntervalMs: 50 })
})
afterEach(async () => {
  await network.stop()
  await proxy.stop()
  await anvil.stop()
})

const baseOf = async () => (await network.rpc<{ base: { number: number; hash: Hex } }>('dev_getNetworkInfo')).base
const liveBlock = (tag: string) => anvil.rpc<Block>('eth_getBlockByNumber', [tag, false])

/** Upstream says this of its newest block so many times. Resolves when it has. */
async function lie(times: number, change: (block: Block) => object): Promise<void> {
  let told = 0
  proxy.set({
    answer({ method, params }) {
      if (method !== 'eth_getBlockByNumber' || params?.[0] !== 'latest' || told >= times) return undefined
      told++
      return liveBlock('latest').then((block) => ({ result: { ...block, ...change(block) } }))
    },
  })
  await eventually(
    async () => told,
    (count) => count === times,
  )
}

/** The live chain goes on, and the network with it. */
async function goOn(): Promise<void> {
  await anvil.rpc('evm_mine', [])
  const { hash } = await liveBlock('latest')
  await eventually(baseOf, (base) => base.hash === hash)
}

async function timeOfNextBlock(): Promise<number> {
  await network.rpc('evm_mine')
  return Number((await network.rpc<Block>('eth_getBlockByNumber', 'latest', false)).timestamp)
}

it.each<[string, number, (block: Block) => object]>([
  ['at the end of all numbers', 5, () => ({ timestamp: '0xffffffffffffffff' })],
  ['a day ahead', 1, () => ({ timestamp: numberToHex(Math.floor(Date.now() / 1000) + day) })],
])('a false time %s is not that of the blocks that follow', async (_, times, change) => {
  await lie(times, (block) => ({
    ...change(block),
    number: numberToHex(BigInt(block.number) + 1n),
    hash: otherHash,
    parentHash: block.hash,
  }))
  await goOn()
  expect(await timeOfNextBlock()).toBeLessThan(Date.now() / 1000 + 60)

  await network.restart()
  expect(await timeOfNextBlock()).toBeLessThan(Date.now() / 1000 + 60)
})

it('a false number is not that of the next base', async () => {
  await lie(1, (block) => ({ number: '0x10000000', hash: otherHash, parentHash: block.hash }))
  await goOn()
  expect((await baseOf()).number).toBe(Number((await liveBlock('latest')).number))
})

it('a false hash detaches the network for no longer than it is told', async () => {
  const address = numberToHex(0xc01d, { size: 20 })
  await anvil.rpc('anvil_setBalance', [address, '0x7'])
  await lie(1, () => ({ hash: otherHash }))
  await eventually(
    () => network.rpc('eth_getBalance', address, 'latest').catch((error: Error) => error),
    (balance) => balance === '0x7',
  )
  await goOn()
}, 15_000)

it('false hashes of all blocks detach the network for a short time', async () => {
  let isFalse = true
  proxy.set({
    answer({ method, params }) {
      if (method !== 'eth_getBlockByNumber' || !isFalse) return undefined
      return liveBlock(String(params?.[0])).then((block) => ({ result: block && { ...block, hash: otherHash } }))
    },
  })
  const status = async () => (await network.rpc<{ upstream: { reachable: boolean } }>('dev_getNetworkInfo')).upstream
  await eventually(status, ({ reachable }) => !reachable)
  isFalse = false
  await eventually(status, ({ reachable }) => reachable)
}, 15_000)
