import { expect, it } from 'vitest'
import { FairQueue } from './fairQueue.ts'

const connection = (holder: string) => ({ holder, connection: {} })

function takeAll(queue: FairQueue<string>): string[] {
  return Array.from({ length: queue.size }, () => queue.next() ?? 'nothing')
}

it('lets holders take turns, however many connections each has', () => {
  const queue = new FairQueue<string>()
  for (let count = 1; count <= 3; count++) queue.add(connection('many'), `many ${count}`)
  const one = connection('one')
  for (let count = 1; count <= 2; count++) queue.add(one, `one ${count}`)
  expect(takeAll(queue)).toEqual(['many 1', 'one 1', 'many 2', 'one 2', 'many 3'])
  expect([queue.size, queue.next()]).toEqual([0, undefined])
})

it('lets the connections of a holder take turns', () => {
  const queue = new FairQueue<string>()
  const [busy, quiet] = [connection('address'), connection('address')]
  for (let count = 1; count <= 3; count++) queue.add(busy, `busy ${count}`)
  queue.add(quiet, 'quiet')
  expect(takeAll(queue)).toEqual(['busy 1', 'quiet', 'busy 2', 'busy 3'])
})

it('gives a holder that comes back the last turn', () => {
  const queue = new FairQueue<string>()
  const [first, second] = [connection('first'), connection('second')]
  queue.add(first, 'first 1')
  queue.add(second, 'second 1')
  expect(queue.next()).toBe('first 1')
  queue.add(first, 'first 2')
  expect(takeAll(queue)).toEqual(['second 1', 'first 2'])
})

it('lets what was begun go on before other work of its connection', () => {
  const queue = new FairQueue<string>()
  const client = connection('client')
  queue.add(client, 'next')
  for (const work of ['begun 1', 'begun 2']) queue.add(client, work, { isBegun: true })
  expect(takeAll(queue)).toEqual(['begun 1', 'begun 2', 'next'])
})

it('gives every other turn to a connection that has begun nothing', () => {
  const queue = new FairQueue<string>()
  for (let count = 1; count <= 3; count++) queue.add(connection('address'), `long ${count}`, { isBegun: true })
  for (let count = 1; count <= 2; count++) queue.add(connection('address'), `short ${count}`)
  expect(takeAll(queue)).toEqual(['short 1', 'long 1', 'short 2', 'long 2', 'long 3'])
})
