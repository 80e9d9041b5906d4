import { createFakeClock } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { KeyComputing } from './keyQuotas.ts'

const clock = createFakeClock()

it('refills within a minute, up to its limit', () => {
  const computing = new KeyComputing(30, clock)
  computing.spend(20_000)
  expect(computing.leftMs).toBe(10_000)
  clock.advance(10_000)
  expect(computing.leftMs).toBe(15_000)
  clock.advance(600_000)
  expect(computing.leftMs).toBe(30_000)
})

it('is spent until there is enough for a run again', () => {
  const computing = new KeyComputing(30, clock)
  computing.spend(30_500)
  clock.advance(2_900)
  expect(() => computing.requireLeft()).toThrow('the calls of this key ran for 30 seconds within a minute')
  clock.advance(200)
  expect(computing.leftMs).toBe(1_050)
  computing.spend(1_000)
  expect(computing.leftMs).toBe(50)
})
