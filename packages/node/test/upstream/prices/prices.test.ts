import { type Prices, pricesOf } from '@understudy/evm'
import { createFakeClock } from '@understudy/testkit'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../../startNetwork.ts'
import { chainOf, type Rules, removeProfiles, rulesOf } from './housePrices.ts'

const address = (number: number): Hex => `0x${number.toString(16).padStart(40, '0')}`

describe('every price of a live chain', () => {
  const { precompiles: _, ...own } = pricesOf('osaka')
  /** Each is another than the fork's, and not by as much as its neighbours. */
  const numbers = Object.fromEntries(
    Object.entries(own).map(([name, price], index) => [name, price + 1 + index + Math.floor(price / 3)]),
  )
  const line = (base: number, perWord = 0) => ({ base, perWord })
  const times = (factor: number, base = 0) => ({ base, perWord: 0, factor })
  const precompiles: Record<Hex, object> = {
    [address(0x01)]: line(3111),
    [address(0x02)]: line(71, 13),
    [address(0x03)]: line(711, 121),
    [address(0x04)]: line(16, 4),
    [address(0x05)]: times(3, 5),
    [address(0x06)]: line(540),
    [address(0x07)]: line(12_600),
    [address(0x08)]: line(67_500, 8500),
    [address(0x09)]: times(22),
    [address(0x0b)]: line(1050),
    [address(0x0c)]: times(6.1),
    [address(0x0d)]: line(1620),
    [address(0x0e)]: times(6.4),
    [address(0x0f)]: line(109_330, 94_540 / 12),
    [address(0x10)]: line(15_400),
    [address(0x11)]: line(66_640),
    [address(0x100)]: line(7001),
  }
  /** It is measured later than the others. */
  const pointEvaluation = address(0x0a)
  /** What the fork does not have, and what is not measured at the start. */
  const unmeasured = [
    `precompiles.${pointEvaluation}`,
    'refundSelfdestruct',
    'accountWrite',
    'accountState',
    'slotState',
    'delegationState',
    'codeByteState',
  ]
  const shown = Object.keys(own).filter((name) => !unmeasured.includes(name))

  let live: TestNetwork
  let network: TestNetwork
  let rules: Rules
  const clock = createFakeClock(Date.now())
  beforeAll(async () => {
    const prices = { ...Object.fromEntries(shown.map((name) => [name, numbers[name]])) }
    const all = { ...precompiles, [pointEvaluation]: line(200_000) }
    live = await chainOf({ hardfork: 'osaka', prices: { ...prices, precompiles: all } })
    network = await startNetwork({ forkUrls: [live.url] }, { clock })
    rules = await rulesOf(network)
  })
  afterAll(async () => {
    await network?.stop()
    await live?.stop()
    removeProfiles()
  })

  it.each(shown)('%s is what its file says', (name) => {
    expect(rules.prices[name as keyof Prices]).toBe(numbers[name])
  })
  it.each(Object.keys(precompiles))('the precompile %s is what its file says', (name) => {
    expect(rules.prices.precompiles[name as Hex]).toEqual(precompiles[name as Hex])
  })
  it('of point evaluation is found when prices are measured again', async () => {
    expect(rules.prices.precompiles[pointEvaluation]).toBeUndefined()
    clock.advance(600_000)
    const later = await eventually(
      async () => {
        // New prices hold from the next block.
        await live.rpc('evm_mine')
        clock.advance(50)
        return rulesOf(network)
      },
      ({ pricing }) => !pricing.unmeasured.includes(`precompiles.${pointEvaluation}`),
    )
    expect(later.prices).toEqual({
      ...rules.prices,
      precompiles: { ...rules.prices.precompiles, [pointEvaluation]: line(200_000) },
    })
  })
  it('is told with how it is known', () => {
    expect(rules.pricing).toMatchObject({ source: 'measured', odd: [] })
    expect(rules.pricing.unmeasured.sort()).toEqual([...unmeasured].sort())
    expect(rules.pricing.different).toHaveLength(shown.length + Object.keys(precompiles).length)
    expect(rules.pricing.different[0]).toEqual({
      name: 'coldSload',
      fork: 2100,
      price: numbers.coldSload,
      source: 'measured',
    })
  })
})

it('finds prices of Amsterdam, but for those that its slots and its code have beside others', async () => {
  const prices = {
    authorization: 8000,
    accountWrite: 9100,
    accountState: 190_000,
    delegationState: 36_000,
    newAccount: 70,
    create: 12_500,
  }
  const live = await chainOf({ hardfork: 'amsterdam', prices })
  const network = await startNetwork({ forkUrls: [live.url] })
  try {
    const rules = await rulesOf(network)
    expect(rules).toMatchObject({ hardfork: 'amsterdam', prices, pricing: { source: 'measured', odd: [] } })
    expect(rules.pricing.unmeasured.sort()).toEqual([
      'codeByteState',
      `precompiles.${address(0x0a)}`,
      'refundAuthorization',
      'refundSelfdestruct',
      'slotState',
    ])
    expect(rules.pricing.different.map(({ name }) => name).sort()).toEqual(Object.keys(prices).sort())
  } finally {
    await network.stop()
    await live.stop()
  }
})
