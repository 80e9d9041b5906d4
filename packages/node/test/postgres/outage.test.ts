import { type Anvil, startAnvil } from '@understudy/testkit'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually, startNetwork, type TestNetwork } from '../startNetwork.ts'
import { requireTestLocation } from '../testDatabase.ts'
import { type CutProxy, startCutProxy } from './cutProxy.ts'

const outages = 3
const answersBetween = 15

let anvil: Anvil
let proxy: CutProxy
let network: TestNetwork
beforeAll(async () => {
  anvil = await startAnvil()
  proxy = await startCutProxy(requireTestLocation().url)
  network = await startNetwork({ forkUrls: [anvil.url], databaseUrl: proxy.url })
})
afterAll(async () => {
  proxy.open()
  await network.stop()
  await proxy.stop()
  await anvil.stop()
})

it('loses nothing that was answered, and continues, when the database fails under load and comes back', {
  timeout: 120_000,
}, async () => {
  const answered: Hex[] = []
  const refusals = new Set<string>()
  let isDone = false
  const work = async (from: string) => {
    while (!isDone)
      await network.rpc<Hex>('eth_sendTransaction', { from, to: from, value: '0x1', gas: '0x5208' }).then(
        (hash) => answered.push(hash),
        (error) => refusals.add(String(error.cause?.data?.kind ?? error)),
      )
  }
  const untilAnswered = (count: number) =>
    eventually(
      async () => answered.length,
      (length) => length >= count,
    )
  const accounts = await network.rpc<string[]>('eth_accounts')
  const workers = accounts.slice(0, 4).map(work)
  for (let outage = 0; outage < outages; outage++) {
    await untilAnswered(answered.length + answersBetween)
    if (outage === 0) proxy.cutNext('before the commit is answered')
    else proxy.close()
    await eventually(
      async () => network.rpc('eth_getTransactionReceipt', answered.at(-1)).catch(() => undefined),
      () => true,
    )
    proxy.open()
  }
  await untilAnswered(answered.length + answersBetween)
  isDone = true
  await Promise.all(workers)

  await network.restart()
  for (const hash of answered)
    expect(await network.rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
  const balances = await Promise.all(
    accounts.slice(0, 4).map((from) => network.rpc<Hex>('eth_getTransactionCount', from)),
  )
  // One of which nobody could tell what became may be there besides those that were answered.
  const sealed = balances.reduce((sum, count) => sum + Number(count), 0)
  expect(sealed).toBeGreaterThanOrEqual(answered.length)
  expect(sealed - answered.length).toBeLessThanOrEqual(outages * 4)
  expect([...refusals].filter((kind) => kind === 'INTERNAL')).toEqual([])
})
