import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createPace, yieldToEventLoop } from './yieldToEventLoop.ts'

it('lets one caller go on in each turn of the event loop, in their order', async () => {
  const went: number[] = []
  const all = Promise.all([0, 1, 2].map((caller) => yieldToEventLoop().then(() => went.push(caller))))
  await nextTurn()
  expect(went).toEqual([0])
  await all
  expect(went).toEqual([0, 1, 2])
})

it('yields when a slice has passed, and not before', async () => {
  const turns: string[] = []
  const inNextTurn = nextTurn().then(() => turns.push('others'))
  const long = createPace(1_000)
  await long()
  turns.push('goes on')
  const none = createPace(0)
  await none()
  turns.push('has yielded')
  await inNextTurn
  expect(turns).toEqual(['goes on', 'others', 'has yielded'])
})
