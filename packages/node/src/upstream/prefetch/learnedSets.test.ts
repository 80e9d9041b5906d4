import type { Address, Message, ReadSet, Word } from '@understudy/evm'
import { createFakeClock } from '@understudy/testkit'
import { expect, it } from 'vitest'
import { LearnedSets } from './learnedSets.ts'

const pool: Address = `0x${'a1'.repeat(20)}`
const twin: Address = `0x${'a2'.repeat(20)}`
const token: Address = `0x${'b0'.repeat(20)}`
const code: Word = `0x${'cc'.repeat(32)}`
const slot = (number: number): Word => `0x${number.toString(16).padStart(64, '0')}`

const call = (to: Address, argument: number): Message => ({
  from: token,
  to,
  value: 0n,
  data: Uint8Array.of(1, 2, 3, 4, argument),
  gasLimit: 0n,
  gasPrice: 0n,
})
const reads = (slots: [Address, number[]][]): ReadSet => ({
  accounts: new Set(slots.map(([address]) => address)),
  slots: new Map(slots.map(([address, numbers]) => [address, new Set(numbers.map(slot))])),
  blockHashes: new Set(),
  environment: new Set(),
  fees: false,
})

it('expects of a call what it read before', () => {
  const sets = new LearnedSets(createFakeClock())
  expect(sets.expect(call(pool, 1), code)).toBeUndefined()
  sets.learn(call(pool, 1), code, reads([[pool, [0, 7]]]))
  expect(sets.expect(call(pool, 1), undefined)?.slots).toEqual([
    [pool, slot(0)],
    [pool, slot(7)],
  ])
})

it('expects of a function what it read whatever its arguments, in any contract of that code', () => {
  const sets = new LearnedSets(createFakeClock())
  sets.learn(
    call(pool, 1),
    code,
    reads([
      [pool, [0, 7]],
      [token, [3]],
    ]),
  )
  sets.learn(
    call(pool, 2),
    code,
    reads([
      [pool, [0, 8]],
      [token, [3]],
    ]),
  )
  expect(sets.expect(call(twin, 3), code)).toEqual({
    accounts: [twin, token],
    codes: [],
    slots: [
      [twin, slot(0)],
      [token, slot(3)],
    ],
    blockHashes: [],
  })
  expect(sets.expect(call(twin, 3), slot(1))).toBeUndefined()
})

it('names what was read not long ago, the newest first, within its budget', () => {
  const clock = createFakeClock()
  const sets = new LearnedSets(clock)
  sets.learn(call(pool, 1), code, reads([[pool, [1]]]))
  clock.advance(50_000)
  sets.learn(call(pool, 2), code, reads([[pool, [2]]]))
  expect(sets.recent(100).slots).toHaveLength(2)
  expect(sets.recent(2).slots).toEqual([[pool, slot(2)]])
  clock.advance(20_000)
  expect(sets.recent(100).slots).toEqual([[pool, slot(2)]])
  sets.touch(call(pool, 1))
  expect(sets.recent(100).slots).toHaveLength(2)
})
