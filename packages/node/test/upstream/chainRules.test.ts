import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { artifacts, deployContract, type ShapedChain, startShapedChain } from '@understudy/testkit'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { chainShapes, refusesProbe } from './chainShapes.ts'

type Info = {
  chain: { name: string; stack: string; currency: { symbol: string } }
  rules: { hardfork: string; source: string; disagreement: object | null }
}

const infoOf = (network: TestNetwork) => network.rpc<Info>('dev_getNetworkInfo')
const answer = '60005260206000f3'

/** Code that fails where the fork lacks the operation. */
const programs: Record<string, Hex> = {
  PUSH0: `0x5f506001${answer}`,
  TLOAD: `0x60005c506001${answer}`,
  MCOPY: `0x6000600060005e6001${answer}`,
  CLZ: `0x60011e${answer}`,
}

/** A valid signature (EIP-7951). */
const signature =
  '0x4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4da73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d604aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff37618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e'

type Rpc = (method: string, params: readonly unknown[]) => Promise<unknown>

/** What a chain answers to each of the programs, and to precompiles that came with forks and rollups. */
async function abilities(rpc: Rpc): Promise<Record<string, unknown>> {
  const call = async (request: object) => {
    try {
      return await rpc('eth_call', [request, 'latest'])
    } catch {
      return 'fails'
    }
  }
  const found: Record<string, unknown> = {}
  for (const [name, data] of Object.entries(programs)) found[name] = await call({ data, gas: '0x30d40' })
  found.P256VERIFY = await call({ to: `0x${'100'.padStart(40, '0')}`, data: signature })
  found.P256gas = await call({
    data: `0x600060a05260a061002b6000395a602060a060a060006101005afa505a900360a05102${answer}${signature.slice(2)}`,
  })
  found.BLS = await call({ to: `0x${'b'.padStart(40, '0')}`, data: `0x${'00'.repeat(256)}` })
  return found
}

/** Mines blocks of the live chain, and waits for each until the network is on it. */
async function followHeads(chain: ShapedChain, network: TestNetwork, count: number): Promise<void> {
  for (let heads = 0; heads < count; heads++) {
    await chain.rpc('evm_mine')
    const live = Number(await chain.rpc<Hex>('eth_blockNumber'))
    const base = async () => (await network.rpc<{ base: { number: number } }>('dev_getNetworkInfo')).base.number
    await eventually(base, (number) => number === live)
  }
}

describe.each(chainShapes)('a fork of $name', (shape) => {
  let chain: ShapedChain
  let network: TestNetwork
  beforeAll(async () => {
    chain = await startShapedChain(shape)
    network = await startNetwork({ forkUrls: [chain.url], mine: 'instant' })
  })
  afterAll(async () => {
    await network?.stop()
    await chain?.stop()
  })

  it('finds its rules, and tells them', async () => {
    const { chain: found, rules } = await infoOf(network)
    const { name, symbol, stack, hardfork } = shape
    expect({ ...found, symbol: found.currency.symbol, ...rules }).toMatchObject({
      name,
      symbol,
      stack,
      hardfork,
      source: 'probe',
    })
  })

  it('runs what the chain runs, at its price', async () => {
    const here = await abilities((method, params) => network.rpc(method, ...params))
    expect(here).toEqual(await abilities(chain.rpc))
    expect(here.PUSH0).not.toBe('fails')
  })

  it('deploys and transfers, and follows the head', async () => {
    const counter = await deployContract(network.client, artifacts.Counter, [7n])
    expect(await network.client.getCode({ address: counter })).toMatch(/^0x60/)
    const from = network.client.account.address
    const hash = await network.rpc<Hex>('eth_sendTransaction', { from, to: counter, value: '0x0', data: '0x8381f58a' })
    expect(await network.rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    await followHeads(chain, network, 3)
    const [head, block] = [
      shape.block?.((await chain.rpc('eth_getBlockByNumber', ['latest', false])) as never) ??
        (await chain.rpc<Record<string, unknown>>('eth_getBlockByNumber', ['latest', false])),
      await network.rpc<Record<string, unknown>>('eth_getBlockByNumber', 'latest', false),
    ]
    expect(block).toMatchObject({ baseFeePerGas: head.baseFeePerGas, gasLimit: head.gasLimit })
    expect((await infoOf(network)).rules.disagreement).toBe(null)
  })

  it('passes blocks of the chain through, whatever fields they have', async () => {
    const raw = (await chain.rpc('eth_getBlockByNumber', ['0x0', false])) as Record<string, unknown>
    expect(await network.rpc('eth_getBlockByNumber', '0x0', false)).toEqual(shape.block?.(raw) ?? raw)
  })
})

describe('rules of a chain', () => {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  })
  async function chainOf(shape: Parameters<typeof startShapedChain>[0]): Promise<ShapedChain> {
    const chain = await startShapedChain(shape)
    stops.push(() => chain.stop())
    return chain
  }
  async function networkOf(options: Parameters<typeof startNetwork>[0]): Promise<TestNetwork> {
    const network = await startNetwork(options)
    stops.push(() => network.stop())
    return network
  }

  it('are what upstream says of itself, where it refuses to be probed', async () => {
    const chain = await chainOf({ anvil: { chainId: 777_001, hardfork: 'cancun' }, answer: refusesProbe })
    const network = await networkOf({ forkUrls: [chain.url] })
    expect((await infoOf(network)).rules.source).toBe('eth_config')
  })

  it.each(['berlin', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'])(
    'are shown by everything alike on a chain of %s',
    async (hardfork) => {
      const chain = await chainOf({ anvil: { chainId: 777_011, hardfork } })
      const network = await networkOf({ forkUrls: [chain.url] })
      await followHeads(chain, network, 3)
      expect((await infoOf(network)).rules).toMatchObject({ hardfork, source: 'probe', disagreement: null })
    },
  )

  it('are never older than Cancun where nothing else is known of a block of this year', async () => {
    const { block } = chainShapes.find(({ name }) => name === 'Polygon') ?? {}
    const anvil = { chainId: 777_002, hardfork: 'prague' }
    const chain = await chainOf({ anvil, answer: refusesProbe, missing: ['eth_config'], ...(block && { block }) })
    const network = await networkOf({ forkUrls: [chain.url] })
    expect(await infoOf(network)).toMatchObject({
      chain: { name: 'chain 777002' },
      rules: { hardfork: 'cancun', source: 'header' },
    })
  })

  it('are kept with the network, and asked without another round trip', async () => {
    const chain = await chainOf({ anvil: { chainId: 777_003, hardfork: 'cancun' } })
    const named = await networkOf({ forkUrls: [chain.url], hardfork: 'cancun', pollIntervalMs: 60_000 })
    const withoutAsking = chain.requests()
    await named.stop()
    const network = await networkOf({ forkUrls: [chain.url], pollIntervalMs: 60_000 })
    // Requests of the start share batches as they happen to meet.
    expect(chain.requests() - withoutAsking).toBeLessThanOrEqual(withoutAsking + 1)
    expect((await infoOf(network)).rules).toMatchObject({ hardfork: 'cancun', source: 'probe' })
    chain.reshape({ answer: refusesProbe, missing: ['eth_config'] })
    await network.restart()
    expect((await infoOf(network)).rules).toMatchObject({ hardfork: 'cancun', source: 'probe' })
  })

  it('are those that --hardfork and --chain-profile name', async () => {
    const chain = await chainOf({ anvil: { chainId: 777_004, hardfork: 'prague' } })
    const named = await networkOf({ forkUrls: [chain.url], hardfork: 'shanghai' })
    expect((await infoOf(named)).rules).toMatchObject({
      hardfork: 'shanghai',
      source: 'option',
      since: null,
      disagreement: null,
    })
    const directory = mkdtempSync(join(tmpdir(), 'understudy-profile-'))
    stops.push(async () => rmSync(directory, { recursive: true }))
    const path = join(directory, 'profile.json')
    const profile = { chainId: 777_004, name: 'House chain', currency: { name: 'House', symbol: 'HSE', decimals: 18 } }
    writeFileSync(path, JSON.stringify({ ...profile, hardfork: 'cancun', fees: { type: 'steady' } }))
    const own = await networkOf({ forkUrls: [chain.url], chainProfile: path })
    expect(await infoOf(own)).toMatchObject({
      chain: { name: 'House chain', currency: { symbol: 'HSE' } },
      rules: { hardfork: 'cancun', source: 'profile' },
    })
    writeFileSync(path, JSON.stringify({ ...profile, hardfork: 'frontier' }))
    await expect(startNetwork({ forkUrls: [chain.url], chainProfile: path })).rejects.toThrow(
      /profile\.json\.hardfork: /,
    )
  })

  it('refuses zkSync Era, by its id and by its blocks', async () => {
    const era = await chainOf({ anvil: { chainId: 324 } })
    await expect(startNetwork({ forkUrls: [era.url] })).rejects.toThrow(/ZKsync Era, whose contracts .* EraVM/)
    const block = (raw: Record<string, unknown>) => ({ ...raw, l1BatchNumber: '0x1', l1BatchTimestamp: raw.timestamp })
    const other = await chainOf({ anvil: { chainId: 777_005 }, block })
    await expect(startNetwork({ forkUrls: [other.url] })).rejects.toThrow(/chain 777005, whose contracts .* EraVM/)
  })

  it('are those of Amsterdam on Sepolia since October 2026, where it cannot be asked', async () => {
    const fields = { number: '0xa00000', timestamp: '0x6ac54d00', blockAccessListHash: `0x${'a1'.repeat(32)}` }
    const block = (raw: Record<string, unknown>) => ({ ...raw, ...fields, slotNumber: '0x9a1b2c' })
    const missing = ['eth_config', 'eth_getBlockAccessList']
    const chain = await chainOf({ anvil: { chainId: 11_155_111 }, block, missing, answer: refusesProbe })
    const network = await networkOf({ forkUrls: [chain.url] })
    expect((await infoOf(network)).rules).toMatchObject({ hardfork: 'amsterdam', source: 'schedule' })
    expect(await network.rpc('eth_call', { data: `0x4b${answer}`, gas: '0x7a120' }, 'latest')).toBe(
      `0x${'9a1b2c'.padStart(64, '0')}`,
    )
  })

  it('follow an upgrade of the live chain, with the head that brings it', async () => {
    const before = await chainOf({ anvil: { chainId: 777_006, hardfork: 'shanghai' } })
    const after = await chainOf({ anvil: { chainId: 777_006, hardfork: 'cancun' } })
    const network = await networkOf({ forkUrls: [before.url], mine: 'instant' })
    const transient = { data: programs.TLOAD, gas: '0x30d40' }
    expect((await infoOf(network)).rules.hardfork).toBe('shanghai')
    await expect(network.rpc('eth_call', transient, 'latest')).rejects.toThrow(/invalid opcode/)
    // From now on the live chain's heads have the fields of Cancun, and its machine has the operations.
    const upgraded = (raw: Record<string, unknown>) => ({
      ...raw,
      blobGasUsed: '0x0',
      excessBlobGas: '0x0',
      parentBeaconBlockRoot: `0x${'00'.repeat(32)}`,
    })
    const probes = new Map<string, unknown>()
    for (const params of await probeParams()) probes.set(JSON.stringify(params), await after.rpc('eth_call', params))
    before.reshape({
      missing: ['eth_config'],
      block: upgraded,
      answer: ({ method, params }) => {
        const [request, , overrides] = params ?? []
        const found = [...probes].find(([key]) => key.includes(JSON.stringify(request)))
        return method === 'eth_call' && overrides && found ? { result: found[1] } : undefined
      },
    })
    await before.rpc('evm_mine')
    const info = await eventually(
      () => infoOf(network),
      ({ rules }) => rules.hardfork === 'cancun',
    )
    expect(info.rules.source).toBe('probe')
    // The rules are known before the block on the new head is sealed.
    await eventually(
      () => network.rpc<{ blobGasUsed?: Hex }>('eth_getBlockByNumber', 'latest', false),
      ({ blobGasUsed }) => blobGasUsed !== undefined,
    )
    expect(await network.rpc('eth_call', transient, 'latest')).toBe(`0x${'1'.padStart(64, '0')}`)
    const from = network.client.account.address
    const hash = await network.rpc<Hex>('eth_sendTransaction', { from, data: programs.TLOAD })
    expect(await network.rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    // Older blocks of ours keep the rules that they were sealed by.
    await network.restart()
    expect((await infoOf(network)).rules.hardfork).toBe('cancun')
  })
})

async function probeParams(): Promise<readonly (readonly unknown[])[]> {
  const { probeCall, delegationCall } = await import('../../src/ethereum/chains/probe.ts')
  return [probeCall('0x0'), delegationCall('0x0')]
}
