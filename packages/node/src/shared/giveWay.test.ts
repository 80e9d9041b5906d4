import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { giveWay } from './giveWay.ts'

it('lets one caller go on in each turn of the event loop, in their order', async () => {
  const went: number[] = []
  const all = Promise.all([0, 1, 2].map((caller) => giveWay().then(() => went.push(caller))))
  await nextTurn()
  expect(went).toEqual([0])
  await all
  expect(went).toEqual([0, 1, 2])
})
