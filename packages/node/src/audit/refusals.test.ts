import { createFakeClock } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { createRefusals } from './refusals.ts'

it('notes the first of each key at once, and those that follow once a minute', () => {
  const clock = createFakeClock()
  const noted: unknown[] = []
  const refusals = createRefusals((entry) => noted.push(entry), { clock })
  const guess = (from: string) =>
    refusals.note({ key: undefined, method: 'authentication', params: [], error: 'UNAUTHORIZED', from })
  const first = { key: 'aa', method: 'dev_setNonce', params: [1], error: 'UNAUTHORIZED' }

  refusals.note(first)
  guess('10.0.0.0')
  expect(noted.splice(0)).toEqual([
    first,
    { key: undefined, method: 'authentication', params: { from: '10.0.0.0' }, error: 'UNAUTHORIZED' },
  ])
  for (let index = 0; index < 10_000; index++) guess(`10.0.0.${index}`)
  for (let index = 0; index < 30; index++) refusals.note({ ...first, method: `dev_${index}` })
  expect(noted).toEqual([])
  clock.advance(60_000)
  expect(noted.splice(0)).toEqual([
    {
      key: 'aa',
      method: 'refused',
      params: { count: 30, methods: expect.objectContaining({ dev_0: 1, dev_19: 1 }), from: [] },
      error: 'UNAUTHORIZED',
    },
    {
      key: undefined,
      method: 'refused',
      params: { count: 10_000, methods: { authentication: 10_000 }, from: expect.arrayContaining(['10.0.0.19']) },
      error: 'UNAUTHORIZED',
    },
  ])
  // Still at it: counted on, and noted at the stop.
  guess('10.0.0.1')
  expect(noted).toEqual([])
  refusals.stop()
  expect(noted).toMatchObject([{ method: 'refused', params: { count: 1 } }])
  clock.advance(600_000)
  expect(noted).toHaveLength(1)
})
