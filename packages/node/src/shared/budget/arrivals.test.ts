import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createArrivals } from './arrivals.ts'

const connection = (holder: string) => ({ holder, connection: {} })

let time = 0
/** Computes for so long, by the clock of the tests. */
function busyFor(ms: number): void {
  time += ms
}
const start = () => createArrivals(() => time)

it('runs what arrives at once while a turn of the event loop has time', () => {
  const arrivals = start()
  const answers = [1, 2, 3].map((answer) => arrivals.answer(connection('client'), () => answer))
  expect(answers).toEqual([1, 2, 3])
})

it('lets what arrives after that wait for the next turn, which has its own time', async () => {
  const arrivals = start()
  let answered = 0
  const work = () => {
    busyFor(4)
    answered++
  }
  for (let count = 0; count < 12; count++) void arrivals.answer(connection('client'), work)
  const turns = [answered]
  for (let turn = 1; turn < 4; turn++) {
    await endOfTurn()
    turns.push(answered)
  }
  expect(turns).toEqual([3, 6, 9, 12])
})

it('serves a sender that comes late before the many connections of another', async () => {
  const arrivals = start()
  const served: string[] = []
  const work = (name: string) => () => {
    busyFor(4)
    served.push(name)
  }
  const all = Array.from({ length: 10 }, () => arrivals.answer(connection('many'), work('many')))
  await Promise.all([...all, arrivals.answer(connection('one'), work('one'))])
  expect(served.indexOf('one')).toBeLessThan(5)
})

it('tells a task how long it may go on: longer if no client waits', async () => {
  const arrivals = start()
  const times: number[] = []
  const work = (until: number) => {
    times.push(until - time)
    busyFor(12)
  }
  await Promise.all([arrivals.answer(connection('a'), work), arrivals.answer(connection('b'), work)])
  expect(times).toEqual([10, 2])
})

it('goes on while a task waits for something else', async () => {
  const arrivals = start()
  let arrive = (_: string) => {}
  const slow = arrivals.answer(connection('a'), () => new Promise<string>((resolve) => (arrive = resolve)))
  expect(await arrivals.answer(connection('b'), () => 'soon')).toBe('soon')
  arrive('late')
  expect(await slow).toBe('late')
})

it('passes errors on, and goes on after them', async () => {
  const arrivals = start()
  const fails = () => {
    busyFor(12)
    throw new Error('broken')
  }
  expect(() => arrivals.answer(connection('a'), fails)).toThrow('broken')
  await expect(arrivals.answer(connection('a'), fails)).rejects.toThrow('broken')
  expect(await arrivals.answer(connection('a'), () => 'fine')).toBe('fine')
})

it('counts what a task does in microtasks, and begins no other before', async () => {
  const arrivals = start()
  let answered = 0
  const work = async () => {
    for (let part = 0; part < 4; part++) {
      await undefined
      busyFor(1)
    }
    answered++
  }
  for (let count = 0; count < 12; count++) void arrivals.answer(connection('client'), work)
  const turns: number[] = []
  for (let turn = 0; turn < 4; turn++) {
    await endOfTurn()
    turns.push(answered)
  }
  expect(turns).toEqual([6, 9, 12, 12])
})

it('runs what waited in the asynchronous context of its sender, with others served before it', async () => {
  const arrivals = start()
  const context = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const work = () => {
    busyFor(4)
    seen.push(context.getStore())
  }
  const ask = (name: string) => context.run(name, () => arrivals.answer(connection(name), work))
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(ask))
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
})
