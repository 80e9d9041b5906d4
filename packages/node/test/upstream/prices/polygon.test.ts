import { createEvm } from '@understudy/evm'
import { createFakeClock, type FakeClock, startShapedChain } from '@understudy/testkit'
import type { Hex } from 'viem'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { measured } from '../../../src/ethereum/chains/prices/measures.ts'
import { pointEvaluation, pointEvaluationName } from '../../../src/ethereum/chains/prices/pointEvaluation.ts'
import { priceRequests } from '../../../src/ethereum/chains/prices/readings.ts'
import { priceRows } from '../../../src/ethereum/chains/prices/tabledPrices.ts'
import { createLogger } from '../../../src/shared/logger.ts'
import { LivePrices } from '../../../src/upstream/rules/livePrices.ts'
import { ownReadings } from '../../../src/upstream/rules/ownReadings.ts'
import type { Request } from '../../../src/upstream/transport/requests.ts'
import { openSocket } from '../../rawSocket.ts'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'
import { refusesProbe } from '../chainShapes.ts'
import { chainOf, profileFile, type Rules, removeProfiles, rulesOf } from './housePrices.ts'

afterAll(removeProfiles)
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
async function kept<T extends { stop(): Promise<void> }>(started: Promise<T>): Promise<T> {
  const value = await started
  stops.push(() => value.stop())
  return value
}

/** PIP-88. */
const prices = priceRows.find(({ chainIds }) => chainIds.includes(137))?.prices ?? {}
const polygon = () => kept(chainOf({ chainId: 137, name: 'Polygon', hardfork: 'prague', prices }))
const names = ['coldSload', 'coldSstore', 'sstoreReset', 'refundClear']
const namesOf = ({ pricing }: Rules) => pricing.different.map(({ name }) => name)

/** Reads slot 0, changes slot 1 and clears slot 2. */
const runtime = '600054506002600155600060025500'

async function sent(
  network: TestNetwork,
  request: object,
): Promise<{ gasUsed: Hex; contractAddress: Hex; status: Hex }> {
  const from = network.client.account.address
  const hash = await network.rpc<Hex>('eth_sendTransaction', { from, gas: '0x100000', ...request })
  return network.rpc('eth_getTransactionReceipt', hash)
}

/** Deploys code that runs on slots which are set. */
async function deploy(network: TestNetwork): Promise<Hex> {
  const setting = [0, 1, 2].map((slot) => `6001600${slot}55`).join('')
  const size = runtime.length / 2
  const head = setting.length / 2 + 12
  const byte = (value: number) => value.toString(16).padStart(2, '0')
  const data = `0x${setting}60${byte(size)}60${byte(head)}60003960${byte(size)}6000f3${runtime}`
  return (await sent(network, { data })).contractAddress
}

describe('a fork of Polygon after PIP-88', () => {
  it('charges what Polygon charges', async () => {
    const network = await kept(startNetwork({ forkUrls: [(await polygon()).url], mine: 'instant' }))
    const rules = await rulesOf(network)
    expect(rules.pricing).toMatchObject({ source: 'measured', odd: [] })
    expect(namesOf(rules)).toEqual([
      ...names,
      ...Object.keys(prices.precompiles ?? {}).map((name) => `precompiles.${name}`),
    ])
    const receipt = await sent(network, { to: await deploy(network) })
    // A cold SLOAD of 5460; a change and a clearing of cold slots for 5000 each, with a refund of 3960.
    const operations = 3 + 2 + 4 * 3
    expect(Number(receipt.gasUsed)).toBe(21_000 + operations + 5460 + 5000 + 5000 - 3960)
    await network.restart()
    expect(namesOf(await rulesOf(network))).toEqual(namesOf(rules))
  })

  it('reproduces its transactions, which the prices of the hardfork do not', async () => {
    const live = await polygon()
    const to = await deploy(live)
    await sent(live, { to })
    await sent(live, { to: `0x${'5e'.repeat(20)}`, value: '0x1' })
    type Report = { differences: { cause: string; field: string }[]; transactions: number; transactionsAgree: number }
    const check = (network: TestNetwork) => network.rpc<Report>('dev_checkFidelity')
    const before = await check(await kept(startNetwork({ forkUrls: [live.url], prices: 'fork' })))
    expect(before.differences.map(({ cause, field }) => `${field} ${cause}`)).toEqual(['gasUsed rule', 'gasUsed rule'])
    const after = await check(await kept(startNetwork({ forkUrls: [live.url] })))
    expect(after).toMatchObject({ transactions: 3, transactionsAgree: 3, differences: [] })
  })

  it('measures its prices by a hardfork that is named too, unless the option or a profile names prices', async () => {
    const { url } = await polygon()
    const named = await rulesOf(await kept(startNetwork({ forkUrls: [url], hardfork: 'prague' })))
    expect(named.prices).toMatchObject({ coldSload: 5460, refundClear: 3960 })
    const own = await rulesOf(await kept(startNetwork({ forkUrls: [url], prices: 'fork' })))
    expect(own.pricing).toEqual({ source: 'fork', different: [], unmeasured: [], odd: [] })
    const kzg = `0x${'0'.repeat(39)}a`
    const chainProfile = profileFile({ chainId: 137, prices: { coldSload: 7000, precompiles: { [kzg]: { base: 1 } } } })
    const profiled = await rulesOf(await kept(startNetwork({ forkUrls: [url], chainProfile })))
    expect(profiled.pricing.different.slice(0, 2)).toEqual([
      { name: 'coldSload', fork: 2100, price: 7000, source: 'profile' },
      { name: 'coldSstore', fork: 2100, price: 2940, source: 'measured' },
    ])
    const sources = profiled.pricing.different.map(({ name, source }) => [name, source])
    expect(sources.filter(([, source]) => source === 'profile')).toEqual([
      ['coldSload', 'profile'],
      [`precompiles.${kzg}`, 'profile'],
    ])
  })

  it('has the prices of its profile where its nodes take no code in a call', async () => {
    const anvil = { chainId: 137, hardfork: 'prague', args: ['--number', '87218600'] }
    const chain = await kept(startShapedChain({ anvil, answer: refusesProbe, missing: ['eth_config'] }))
    const { pricing } = await rulesOf(await kept(startNetwork({ forkUrls: [chain.url] })))
    expect(pricing.source).toBe('profile')
    expect(pricing.different[0]).toEqual({ name: 'coldSload', fork: 2100, price: 5460, source: 'profile' })
  })

  it('takes over prices that change while it runs, and tells them', async () => {
    const machine = await polygon()
    const answers = new Map<string, unknown>()
    const keyOf = (params: readonly unknown[] | undefined) => JSON.stringify(params?.[0])
    for (const [method, params] of Object.values(priceRequests('latest' as Hex)))
      answers.set(keyOf(params), await machine.rpc(method, ...params))
    const chain = await kept(
      startShapedChain({ anvil: { chainId: 777_031, hardfork: 'prague' }, missing: ['eth_config'] }),
    )
    const warnings: { msg: string; prices?: object[] }[] = []
    const logger = createLogger('warn', { write: (line) => void warnings.push(JSON.parse(line)) })
    const network = await kept(startNetwork({ forkUrls: [chain.url], mine: 'instant' }, { logger }))
    expect((await rulesOf(network)).pricing).toMatchObject({ source: 'measured', different: [] })
    const socket = await openSocket(network.url)
    stops.push(() => socket.close())
    const id = await socket.request<string>('eth_subscribe', 'dev_network')
    chain.reshape({
      // A field that is new makes it look again.
      block: (raw) => ({ ...raw, newField: '0x1' }),
      answer: (call) => (answers.has(keyOf(call.params)) ? { result: answers.get(keyOf(call.params)) } : undefined),
    })
    await chain.rpc('evm_mine')
    await eventually(
      () => rulesOf(network),
      (rules) => rules.prices.coldSload === 5460,
    )
    await eventually(
      async () => socket.notified<{ rules: Rules }>(id).at(-1)?.rules.prices.coldSload,
      (price) => price === 5460,
    )
    const told = warnings.find(({ msg }) => msg.startsWith('The rules of the live chain changed'))
    expect(told?.prices?.[0]).toEqual({ name: 'coldSload', before: 2100, after: 5460 })
    await network.restart()
    expect((await rulesOf(network)).prices.coldSload).toBe(5460)
  })
})

it('measures once more after the first time, and then daily', async () => {
  const clock = createFakeClock()
  const header = { number: 1n, timestamp: 1n } as never
  const options = { chainId: 5n, prices: 'measured' } as never
  const prices = new LivePrices(options, { engine: createEvm(), clock, origin: { header, raw: {} } } as never)
  const found = { hardfork: 'prague', precompiles: [] } as never
  const unanswered = measured.map(() => undefined)
  expect(prices.areDue).toBe(true)
  const find = (hasTime: boolean) => prices.find(found, header, { readings: unanswered, before: undefined, hasTime })
  await find(false)
  expect(prices.areDue).toBe(true)
  await find(false)
  expect(prices.areDue).toBe(true)
  await find(true)
  expect(prices.areDue).toBe(false)
  clock.advance(86_400_000)
  expect(prices.areDue).toBe(true)
})

describe('the request for the price of point evaluation', () => {
  const engine = createEvm()
  /** Of Monad, whose node never answers it. */
  async function finding(found: object) {
    const clock = createFakeClock()
    const asked: string[] = []
    const request: Request = (method, _params, { signal } = {}) => {
      asked.push(method)
      return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    }
    const header = { number: 1n, timestamp: 1n } as never
    const options = { chainId: 143n, prices: 'measured' } as never
    const prices = new LivePrices(options, { engine, clock, request, origin: { header, raw: {} } } as never)
    const readings = await ownReadings(engine, { fork: 'prague' })
    const asks = { readings, before: undefined, hasTime: true }
    return { clock, prices, asked, found: prices.find(found as never, header, asks) }
  }

  it.each([
    ['is not answered in time', (clock: FakeClock) => clock.advance(20_000)],
    ['holds up something that cannot wait', (_: FakeClock, prices: LivePrices) => prices.hurry()],
  ])('leaves it to the table where it %s', async (_, giveUp) => {
    const { clock, prices, asked, found } = await finding({ hardfork: 'prague', precompiles: [] })
    await eventually(
      async () => asked,
      ([method]) => method === 'eth_call',
    )
    giveUp(clock, prices)
    expect(await found).toMatchObject({
      values: { precompiles: { [pointEvaluation]: { base: 200_000 } } },
      ofProfile: [pointEvaluationName],
    })
  })

  it('is not sent where something else is there', async () => {
    const { asked, found } = await finding({ hardfork: 'prague', precompiles: [[pointEvaluation, 0]] })
    expect(await found).toMatchObject({ source: 'measured' })
    expect(asked).toEqual([])
  })
})

describe('prices of a profile', () => {
  it.each([
    [{ coldSlod: 1 }, /profile-\d+\.json\.prices\.coldSlod: .* did you mean coldSload/],
    [{ coldSload: -1 }, /profile-\d+\.json\.prices\.coldSload: /],
    [{ coldSload: 1.5 }, /profile-\d+\.json\.prices\.coldSload: /],
    [{ precompiles: { '0x6': { base: 1 } } }, /profile-\d+\.json\.prices\.precompiles/],
    [{ precompiles: { [`0x${'0'.repeat(39)}6`]: { perWord: 1 } } }, /prices\.precompiles.*\.base: /],
  ])('are refused by the name of what is wrong: %j', async (wrong, message) => {
    await expect(chainOf({ prices: wrong })).rejects.toThrow(message)
  })
})
