import { setImmediate as endOfTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AnswersOfTurn } from './answersOfTurn.ts'

function busyFor(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

test('writes the answers of a turn at its end, in order', async () => {
  const turn = new AnswersOfTurn()
  const written: number[] = []
  for (const answer of [1, 2, 3]) turn.add(() => written.push(answer))
  turn.writeDue()
  expect(written).toEqual([])

  await endOfTurn()
  expect(written).toEqual([1, 2, 3])
})

test('lets no answer wait for a request that comes after a long one', async () => {
  const turn = new AnswersOfTurn()
  const written: string[] = []
  turn.add(() => written.push('quick'))
  busyFor(2)
  turn.writeDue()
  expect(written).toEqual(['quick'])

  turn.add(() => written.push('next'))
  turn.writeDue()
  expect(written).toEqual(['quick'])
  await endOfTurn()
  expect(written).toEqual(['quick', 'next'])
})
