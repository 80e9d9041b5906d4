import type { Address, Hex } from 'viem'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startNetwork, type TestNetwork } from '../startNetwork.ts'
import { trackerOf, valuesOf } from './tracker.ts'

/** Looks at the block's number, and then hashes 64 KiB until its gas is gone. */
const heavyCode: Hex = '0x43505b620100006000205060025600'
/** Answers the block's number. */
const lightCode: Hex = '0x4360005260206000f3'
const heavy: Address = `0x${'4e'.repeat(20)}`
const light: Address = `0x${'11'.repeat(20)}`
const heavyCount = 15

let network: TestNetwork
const { rpc, track, history, item } = trackerOf(() => network)
const result = (address: Address, name: string) =>
  track({
    address,
    type: 'function-result',
    functionAbi: `function ${name}() view returns (uint256)`,
    recordTrigger: 'every-n-blocks',
    trackingFrequency: 1,
  })

beforeEach(async () => {
  network = await startNetwork({})
  await rpc('dev_setCode', heavy, heavyCode)
  await rpc('dev_setCode', light, lightCode)
})
afterEach(() => network.stop())

it('a block takes no longer however heavy the tracked items are, and each has its turn', {
  timeout: 60_000,
}, async () => {
  const heavies: string[] = []
  for (let n = 0; n < heavyCount; n++) heavies.push(await result(heavy, `heavy${n}`))
  const lights = [
    await result(light, 'number'),
    await track({ address: light, recordTrigger: 'every-n-blocks', trackingFrequency: 1 }),
  ]
  const isSkipped = async (id: string) => (await item(id))?.lastError?.startsWith('skipped: ') === true
  const evaluated = new Set<string>()
  let blocks = 0
  while (evaluated.size < heavyCount && blocks < heavyCount) {
    const startedAt = performance.now()
    await rpc('evm_mine')
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    blocks++
    for (const id of heavies) if (!(await isSkipped(id))) evaluated.add(id)
    if (blocks === 1) expect(evaluated.size).toBeLessThan(heavyCount)
  }
  expect(evaluated.size).toBe(heavyCount)
  const [ofFunction = [], ofBalance = []] = await Promise.all(lights.map(async (id) => valuesOf(await history(id))))
  expect(ofBalance).toHaveLength(blocks)
  // What takes long has to be found out first; from then on it is behind the others.
  expect(ofFunction.length).toBeGreaterThanOrEqual(blocks - 5)
  expect(ofFunction.length).toBeGreaterThan(0)
  expect((await item(heavies[0] as string))?.lastError).toMatch(
    /^(skipped: the tracked items of a block|out of gas|it computes)/,
  )

  const health = (await (await fetch(`${network.url}/health`)).json()) as { status: string; problems: string[] }
  expect(health).toMatchObject({
    status: 'ready',
    problems: [expect.stringMatching(/tracked items were skipped.*slowest: /)],
  })
  expect(await (await fetch(`${network.url}/metrics`)).text()).toMatch(/understudy_tracked_items_skipped [1-9]/)

  for (const id of heavies) await rpc('dev_removeTrackedData', id)
  await rpc('evm_mine')
  expect(((await (await fetch(`${network.url}/health`)).json()) as typeof health).problems).toEqual([])
})

it('a value that a block had no time for is absent, and comes again when there is time', {
  timeout: 60_000,
}, async () => {
  const ids: string[] = []
  for (let n = 0; n < 8; n++) ids.push(await result(heavy, `heavy${n}`))
  await rpc('evm_mine')
  await rpc('dev_setCode', heavy, lightCode)
  await rpc('evm_mine')
  for (const id of ids) {
    const values = valuesOf(await history(id))
    expect(values).toHaveLength(1)
    expect((await item(id))?.lastError).toBeUndefined()
  }
})
