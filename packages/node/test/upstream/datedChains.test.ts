import { type ChainShape, type ShapedChain, startFaultProxy, startShapedChain } from '@understudy/testkit'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { delegationCall, probeCall } from '../../src/ethereum/chains/probe.ts'
import { createLogger } from '../../src/shared/logger.ts'
import { openSocket } from '../rawSocket.ts'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { isProbe, refusesProbe } from './chainShapes.ts'

type Raw = Record<string, unknown>
type Rules = {
  hardfork: string
  source: string
  since: string | null
  disagreement: { source: string; hardfork: string } | null
}
type Answer = NonNullable<ChainShape['answer']>

const [mainnet, sepolia] = [1, 11_155_111]
const word = (digit: string) => `0x${digit.repeat(64)}`
/** Sepolia's date of Amsterdam, in seconds. */
const amsterdamDate = 1_791_294_816
/** SLOTNUM, which only Amsterdam runs. */
const slotNumber = { data: '0x4b5060015f5260205ff3', gas: '0x7a120' }
/** Its blocks have a number that the dates of both chains know. */
const anvilOf = (chainId: number, timestamp: number, hardfork = 'osaka') => ({
  chainId,
  hardfork,
  args: ['--number', '24000000', '--timestamp', String(timestamp)],
})
const withAmsterdamFields = (raw: Raw): Raw => ({ ...raw, blockAccessListHash: word('a'), slotNumber: '0x9a1b2c' })

describe('the rules of a chain with dates', () => {
  /** Answers to the probe, as nodes of Amsterdam give them. */
  let amsterdamAnswers: Answer
  beforeAll(async () => {
    const machine = await startNetwork({ hardfork: 'amsterdam' })
    const calls = [probeCall('latest' as Hex), delegationCall('latest' as Hex)]
    const answers = await Promise.all(
      calls.map(async (params) => ({ call: params[0], result: await machine.rpc('eth_call', ...params) })),
    )
    await machine.stop()
    amsterdamAnswers = (call) => {
      if (!isProbe(call)) return undefined
      const asked = JSON.stringify(call.params?.[0])
      return { result: answers.find((answer) => JSON.stringify(answer.call) === asked)?.result }
    }
  })

  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop()
  })
  async function chainOf(shape: ChainShape): Promise<ShapedChain> {
    const chain = await startShapedChain({ missing: ['eth_getBlockAccessList'], ...shape })
    stops.push(() => chain.stop())
    return chain
  }
  const warnings: string[] = []
  afterAll(() => warnings.splice(0))
  async function networkOf(chain: ShapedChain, options: Raw = {}): Promise<TestNetwork> {
    warnings.splice(0)
    const logger = createLogger('warn', { write: (line) => void warnings.push(JSON.parse(line).msg) })
    const network = await startNetwork({ forkUrls: [chain.url], mine: 'instant', ...options }, { logger })
    stops.push(() => network.stop())
    return network
  }
  const rulesOf = async (network: TestNetwork) => (await network.rpc<{ rules: Rules }>('dev_getNetworkInfo')).rules
  const runsAmsterdam = (network: TestNetwork, block: Hex | 'latest' = 'latest') =>
    network.rpc('eth_call', slotNumber, block).then(
      () => true,
      () => false,
    )
  /** Mines a block of the live chain, and waits until the network is on it. */
  async function follow(chain: ShapedChain, network: TestNetwork): Promise<void> {
    await chain.rpc('evm_mine')
    const live = Number(await chain.rpc<Hex>('eth_blockNumber'))
    await eventually(
      () => network.rpc<{ base: { number: number } }>('dev_getNetworkInfo'),
      ({ base }) => base.number === live,
    )
  }

  it('are those that its nodes run, also before their date', async () => {
    const anvil = anvilOf(mainnet, 1_790_000_000)
    const chain = await chainOf({ anvil, block: withAmsterdamFields, answer: amsterdamAnswers })
    const network = await networkOf(chain)
    expect(await rulesOf(network)).toMatchObject({ hardfork: 'amsterdam', source: 'probe', disagreement: null })
    expect(await runsAmsterdam(network)).toBe(true)
    await follow(chain, network)
    expect(await rulesOf(network)).toMatchObject({
      hardfork: 'amsterdam',
      source: 'probe',
      disagreement: { source: 'schedule', hardfork: 'bpo2' },
    })
    const block = await network.rpc<Raw>('eth_getBlockByNumber', 'latest', false)
    expect(block).toMatchObject({ slotNumber: expect.any(String), blockAccessListHash: expect.any(String) })
  })

  it('are those that its nodes run, also after a date that was withdrawn', async () => {
    let probes = 0
    const count: Answer = (call) => {
      if (isProbe(call)) probes++
      return undefined
    }
    const chain = await chainOf({ anvil: anvilOf(sepolia, amsterdamDate + 1000), answer: count })
    const network = await networkOf(chain)
    expect(await rulesOf(network)).toMatchObject({ hardfork: expect.stringMatching(/osaka|bpo/), source: 'probe' })
    await follow(chain, network)
    expect((await rulesOf(network)).disagreement).toEqual({ source: 'schedule', hardfork: 'amsterdam' })
    expect(await runsAmsterdam(network)).toBe(false)
    expect(warnings).toContain('The live chain shows other rules elsewhere')
    // It is not asked again with each head, and not after a restart.
    const asked = probes
    for (let heads = 0; heads < 3; heads++) await follow(chain, network)
    await network.restart()
    await follow(chain, network)
    expect((await rulesOf(network)).disagreement).toEqual({ source: 'schedule', hardfork: 'amsterdam' })
    expect(asked).toBe(10)
    // The restart may look at the new head once.
    expect(probes).toBeLessThanOrEqual(asked + 5)
  })

  it('cost a start no other round trip, and a head none', async () => {
    const chain = await chainOf({ anvil: anvilOf(mainnet, 1_790_000_000) })
    const start = async (options: Raw) => {
      const before = chain.requests()
      const network = await networkOf(chain, { ...options, pollIntervalMs: 60_000 })
      await network.stop()
      stops.pop()
      return chain.requests() - before
    }
    const named = await start({ hardfork: 'osaka' })
    // Requests of the start share batches as they happen to meet.
    expect(await start({})).toBeLessThanOrEqual(named + 1)

    let probes = 0
    const network = await networkOf(chain)
    await follow(chain, network)
    chain.reshape({ answer: (call) => void (isProbe(call) && probes++) })
    for (let heads = 0; heads < 5; heads++) await follow(chain, network)
    expect(probes).toBe(0)
  })

  it('change with the head that brings an upgrade, and with the one that takes it back', async () => {
    const chain = await chainOf({ anvil: anvilOf(mainnet, 1_790_000_000) })
    const network = await networkOf(chain)
    const socket = await openSocket(network.url)
    const id = await socket.request<string>('eth_subscribe', 'dev_network')
    const mined = async () => (await network.rpc<Raw>('eth_getBlockByNumber', 'latest', false)).number as Hex
    const before = await mined()
    expect(await runsAmsterdam(network)).toBe(false)

    chain.reshape({ block: withAmsterdamFields, answer: amsterdamAnswers })
    await follow(chain, network)
    expect(await rulesOf(network)).toMatchObject({ hardfork: 'amsterdam', source: 'probe' })
    const during = await mined()

    chain.reshape({ block: (raw) => raw, answer: () => undefined })
    await follow(chain, network)
    expect((await rulesOf(network)).hardfork).not.toBe('amsterdam')
    const after = await mined()
    const changed = 'The rules of the live chain changed, and those of the network with them'
    expect(warnings.filter((message) => message === changed)).toHaveLength(2)
    const told = socket.notified<{ rules: Rules }>(id).map(({ rules }) => rules.hardfork)
    const changes = told.filter((hardfork, index) => hardfork !== told[index - 1])
    expect(changes.map((hardfork) => hardfork === 'amsterdam')).toEqual([false, true, false])
    await socket.close()

    await network.restart()
    expect((await rulesOf(network)).hardfork).not.toBe('amsterdam')
    const blocks = [before, during, after]
    expect(await Promise.all(blocks.map((block) => runsAmsterdam(network, block)))).toEqual([false, true, false])
  })

  it('are looked at when upstream is back, of a network that was started without it', async () => {
    const chain = await chainOf({ anvil: anvilOf(mainnet, 1_790_000_000) })
    const proxy = await startFaultProxy(chain.url)
    stops.push(() => proxy.stop())
    const network = await networkOf(chain, { forkUrls: [proxy.url] })
    expect(await runsAmsterdam(network)).toBe(false)
    await network.node.stop()
    await proxy.down()
    await network.restart({ upstreamTimeoutMs: 1_000 })
    expect((await rulesOf(network)).source).toBe('probe')
    chain.reshape({ block: withAmsterdamFields, answer: amsterdamAnswers })
    await proxy.up()
    await follow(chain, network)
    expect(await rulesOf(network)).toMatchObject({ hardfork: 'amsterdam', source: 'probe' })
    expect(await runsAmsterdam(network)).toBe(true)
  })

  it('are by date for blocks before the first that was looked at', async () => {
    const chain = await chainOf({ anvil: anvilOf(sepolia, amsterdamDate - 1000) })
    await chain.rpc('evm_mine')
    const old = await chain.rpc<Hex>('eth_blockNumber')
    await chain.rpc('evm_setNextBlockTimestamp', [amsterdamDate + 1000])
    await chain.rpc('evm_mine')
    chain.reshape({ answer: amsterdamAnswers, block: withAmsterdamFields })
    const network = await networkOf(chain)
    expect(await rulesOf(network)).toMatchObject({ hardfork: 'amsterdam', source: 'probe' })
    expect(await runsAmsterdam(network)).toBe(true)
    expect(await runsAmsterdam(network, old)).toBe(false)

    chain.reshape({ block: (raw) => raw, missing: ['eth_config', 'eth_getBlockAccessList'], answer: refusesProbe })
    const pinned = await networkOf(chain, { forkBlockNumber: Number(old) })
    expect(await rulesOf(pinned)).toMatchObject({ hardfork: 'bpo2', source: 'schedule' })
    await network.rpc('anvil_reset', { forking: { jsonRpcUrl: chain.url, blockNumber: Number(old) } })
    expect(await rulesOf(network)).toMatchObject({ hardfork: 'bpo2', source: 'schedule' })
    expect(await runsAmsterdam(network)).toBe(false)
  })

  it('are by date where upstream shows nothing', async () => {
    const unlike = { missing: ['eth_config', 'eth_getBlockAccessList'], answer: refusesProbe }
    const chain = await chainOf({ anvil: anvilOf(sepolia, amsterdamDate - 1000), ...unlike })
    const network = await networkOf(chain)
    const old = await chain.rpc<Hex>('eth_blockNumber')
    expect(await rulesOf(network)).toMatchObject({
      hardfork: 'bpo2',
      source: 'schedule',
      since: null,
      disagreement: null,
    })
    expect(await runsAmsterdam(network)).toBe(false)
    chain.reshape({ block: withAmsterdamFields })
    await chain.rpc('evm_setNextBlockTimestamp', [amsterdamDate])
    await follow(chain, network)
    expect(await rulesOf(network)).toMatchObject({ hardfork: 'amsterdam', source: 'schedule', disagreement: null })
    expect(await runsAmsterdam(network)).toBe(true)
    expect(await runsAmsterdam(network, old)).toBe(false)
    // A head without the fields says more than a date.
    chain.reshape({ block: (raw) => raw })
    for (let heads = 0; heads < 2; heads++) await follow(chain, network)
    expect(await rulesOf(network)).toMatchObject({
      hardfork: 'bpo2',
      source: 'header',
      disagreement: { source: 'schedule', hardfork: 'amsterdam' },
    })
  })

  it('leave the fields of its heads in the blocks here, whatever its nodes run', async () => {
    const requests = { requestsHash: `0x${'e3'.repeat(32)}` }
    const block = (raw: Raw) => ({ ...raw, ...requests })
    const chain = await chainOf({ anvil: { chainId: 777_010, hardfork: 'cancun' }, block })
    const network = await networkOf(chain)
    await follow(chain, network)
    await network.rpc('evm_mine')
    expect(await rulesOf(network)).toMatchObject({
      hardfork: 'cancun',
      disagreement: { source: 'header', hardfork: 'prague' },
    })
    expect(await network.rpc('eth_getBlockByNumber', 'latest', false)).toHaveProperty('requestsHash')
    chain.reshape({ block: (raw) => withAmsterdamFields(block(raw)) })
    await follow(chain, network)
    expect(warnings).toContain(
      'Headers of the live chain have fields of a later hardfork that blocks of this network lack',
    )
  })
})
