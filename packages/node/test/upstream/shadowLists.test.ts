import { artifacts, deployContract, type FaultProxy, startFaultProxy } from '@understudy/testkit'
import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi, zeroAddress } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { compileSource } from '../compileSource.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { type Counts, loadDivergences } from './shadow/divergenceCounts.ts'
import { upgradeSource } from './shadow/upgradeSource.ts'

type Divergence = { hash: Hex; kind: string; fields: string[]; reason: string | null }

const code = compileSource('Upgrade.sol', upgradeSource).Upgrade?.imported.deployedBytecode as Hex
const { abi } = artifacts.PlainToken
/** Accounts of its own: the others trade on the live chain. */
const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const counter: Address = '0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1'
const divergencesAbi = 'function divergences(address to) view returns (uint256)'
const someone: Address = `0x${'5e'.repeat(20)}`

let live: TestNetwork
let proxy: FaultProxy
let network: TestNetwork
let changed: Address
let other: Address

/** A block of transfers of a token, in which amounts that end in 7 are refused by the upgrade. */
async function mine(token: Address, amounts: readonly number[]): Promise<Hex[]> {
  const from = live.client.account.address
  const hashes: Hex[] = []
  for (const amount of amounts) {
    const data = encodeFunctionData({ abi, functionName: 'transfer', args: [someone, BigInt(amount)] })
    hashes.push(await live.rpc('eth_sendTransaction', { from, to: token, data, gas: numberToHex(1_000_000) }))
  }
  await live.rpc('evm_mine')
  const head = await live.client.getBlockNumber({ cacheTime: 0 })
  await eventually(
    () => network.client.getBlockNumber({ cacheTime: 0 }),
    (number) => number >= head,
  )
  return hashes
}
const divergencesTo = async (to: Address) => {
  const data = encodeFunctionData({ abi: parseAbi([divergencesAbi]), args: [to] })
  return BigInt(await network.rpc<Hex>('eth_call', { to: counter, data }, 'latest'))
}
const asked = (prefix: string) =>
  Object.entries(proxy.stats().byMethod).reduce(
    (sum, [name, calls]) => (name.startsWith(prefix) ? sum + calls : sum),
    0,
  )

beforeAll(async () => {
  live = await startNetwork({ hardfork: 'amsterdam' })
  changed = await deployContract(live.client, artifacts.PlainToken, ['Token', 'TKN', 10n ** 24n])
  other = await deployContract(live.client, artifacts.PlainToken, ['Token', 'TKN', 10n ** 24n])
  await live.rpc('dev_setMiningMode', 'manual')
  proxy = await startFaultProxy(live.url)
})
afterAll(async () => {
  await proxy?.stop()
  await live?.stop()
})
beforeEach(async () => {
  network = await startNetwork({ forkUrls: [proxy.url], shadow: true, mnemonic })
  await mine(other, [1])
  expect(await divergencesTo(zeroAddress)).toBe(0n)
  await network.rpc('dev_setCode', changed, code)
})
afterEach(async () => {
  proxy.clear()
  await network?.stop()
})

it('finds what diverges by access lists, without traces', async () => {
  proxy.resetStats()
  await mine(other, [1, 7, 14])
  expect([asked('eth_getBlockAccessList') > 0, asked('debug_'), asked('eth_getStorageAt')]).toEqual([true, 0, 0])
  const [first, second, third] = await mine(changed, [1, 7, 15])
  expect(asked('debug_')).toBe(0)
  const found = await loadDivergences<Divergence>(network.rpc)
  expect(found.filter(({ fields }) => fields.includes('status')).map(({ hash }) => hash)).toEqual([second])
  const counts = (await network.rpc<{ counts: Counts }>('dev_getShadow')).counts
  expect(counts.same + counts.diverged).toBe(3)
  expect(counts).toMatchObject({ refused: 0, unreproducible: 0 })
  for (const hash of [first, third])
    expect(await network.client.getTransactionReceipt({ hash: hash as Hex })).toMatchObject({ status: 'success' })
})

/** A block whose first transaction has a type that no rules know, such as those of other chains. */
async function strangeBlock(tag: Hex): Promise<{ result: unknown }> {
  const block = await live.rpc<{ transactions: object[] }>('eth_getBlockByNumber', tag, true)
  const [strange, ...others] = block.transactions
  return { result: { ...block, transactions: [{ ...strange, type: '0x6a' }, ...others] } }
}

it('traces a block with a transaction of an unknown type, and takes over what it did', async () => {
  proxy.resetStats()
  const next = (await live.client.getBlockNumber({ cacheTime: 0 })) + 1n
  const tag = numberToHex(next)
  proxy.set({
    answer({ method, params = [] }) {
      if (method !== 'eth_getBlockByNumber' || params[0] !== tag || params[1] !== true) return undefined
      return strangeBlock(tag)
    },
  })
  await mine(changed, [2, 3])
  proxy.clear()
  expect(asked('debug_traceBlockByNumber')).toBe(1)
  const { counts } = await network.rpc<{ counts: Counts }>('dev_getShadow')
  expect(counts).toMatchObject({ refused: 0, unreproducible: 1 })
})

it('does without lists that are none', async () => {
  proxy.set({ answer: ({ method }) => (method === 'eth_getBlockAccessList' ? { result: [null] } : undefined) })
  proxy.resetStats()
  const [hash] = await mine(changed, [21])
  proxy.clear()
  expect(asked('debug_traceBlockByNumber')).toBeGreaterThan(0)
  expect((await loadDivergences<Divergence>(network.rpc)).map((found) => found.hash)).toContain(hash)
})

it('counts divergences where tracked items, invariants and calls read them', async () => {
  const [all, ofChanged] = [zeroAddress, changed].map((to) => ({
    address: counter,
    type: 'function-result',
    functionAbi: divergencesAbi,
    functionArgs: JSON.stringify([to]),
  }))
  /** Those of the report that are counted. */
  const found = async () =>
    (await loadDivergences<Divergence>(network.rpc)).filter(({ kind }) => kind !== 'unreproducible')
  const before = await divergencesTo(zeroAddress)
  expect(before).toBe(BigInt((await found()).length))
  const { id } = await network.rpc<{ id: string }>('dev_addTrackedData', { ...ofChanged, name: 'token' })
  const check = { left: all, is: '<=', right: String(before) }
  await network.rpc('dev_addInvariant', { name: 'no more', check })

  const hashes = await mine(changed, [27, 1, 37])
  await mine(other, [7])
  const now = await found()
  expect(now.map(({ hash }) => hash)).toEqual(expect.arrayContaining([hashes[0], hashes[2]]))
  expect(await divergencesTo(zeroAddress)).toBe(BigInt(now.length))
  expect([await divergencesTo(other), await divergencesTo(someone)]).toEqual([0n, 0n])
  const { values } = await network.rpc<{ values: { value: string; txHash: Hex }[] }>('dev_getTrackedDataValues', id, {})
  expect(values.at(-1)?.value).toBe(String(await divergencesTo(changed)))
  expect(values.map(({ txHash }) => txHash)).toEqual(expect.arrayContaining([hashes[0], hashes[2]]))
  const [{ failures = [] } = {}] = await network.rpc<{ failures: object[] }[]>('dev_getInvariants')
  expect(failures).toMatchObject([{ transaction: hashes[0] }])
})

it('goes no faster than it is told', async () => {
  expect(await network.rpc('dev_setShadow', { speed: 2 })).toMatchObject({ speed: 2 })
  await mine(changed, [1])
  const started = performance.now()
  for (let block = 0; block < 3; block++) {
    const { timestamp } = await live.client.getBlock()
    await live.rpc('evm_setNextBlockTimestamp', numberToHex(timestamp + 1n))
    await mine(changed, [block + 1])
  }
  expect(performance.now() - started).toBeGreaterThan(1400)
  expect(await network.rpc('dev_setShadow', { speed: 0 })).toMatchObject({ speed: null })
  await expect(network.rpc('dev_setShadow', { speed: -1 })).rejects.toThrow(/speed/)
})

it('starts where the counter follows the live chain', async () => {
  await live.rpc('dev_setBalance', counter, '1')
  await mine(other, [2])
  await network.rpc('dev_followAccount', counter)
  await network.restart()
  expect(await network.rpc('dev_getShadow')).toMatchObject({ isActive: true })
})
