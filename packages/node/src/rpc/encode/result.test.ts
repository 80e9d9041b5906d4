import { describe, expect, it } from 'vitest'
import { CallBytes, MessageBytes } from '../../shared/budget/messageBytes.ts'
import { Shares } from '../../shared/budget/shares.ts'
import { leastJsonBytes } from '../../shared/json/leastJsonBytes.ts'
import { encodeResult } from './result.ts'

const messageOf = (answerLimit: number, inFlight = new Shares(2 * answerLimit)) =>
  new MessageBytes({ inFlight, holder: 'a', answerLimit })

describe('the least size of JSON', () => {
  it.each([
    ['text'],
    [''],
    [7],
    [true],
    [null],
    [[]],
    [{}],
    [[1, 2]],
    [{ a: 'b', c: [], d: undefined, e: { f: null } }],
    [[undefined, [[]], { a: {} }]],
  ])('of %j is what it has, or less', (value) => {
    const least = leastJsonBytes(value, Number.POSITIVE_INFINITY)
    const { length } = JSON.stringify(value)
    expect(least).toBeLessThanOrEqual(length)
    expect(least).toBeGreaterThanOrEqual(length / 4)
  })

  it('is not counted further than needed', () => {
    const text = 'x'.repeat(1000)
    let read = 0
    const item = {
      get text() {
        read++
        return text
      },
    }
    expect(leastJsonBytes(new Array(1_000_000).fill(item), 10_000)).toBeGreaterThanOrEqual(10_000)
    expect(read).toBeLessThan(20)
  })
})

describe('a result', () => {
  it('is counted as it is written, once', () => {
    const inFlight = new Shares(1000)
    const message = messageOf(500, inFlight)
    const bytes = new CallBytes(message)
    bytes.expect(10)
    expect(encodeResult({ text: 'äöü' }, bytes)).toBe('{"text":"äöü"}')
    expect([inFlight.used, message.left]).toEqual([17, 483])
    message.release()
    message.release()
    expect(inFlight.used).toBe(0)
  })

  it('that is too large is refused before it is written, by the limit of the message', () => {
    const message = messageOf(100)
    encodeResult('x'.repeat(60), new CallBytes(message))
    const unwritable = { text: 'x'.repeat(60), toJSON: () => expect.fail('it was written') }
    expect(() => encodeResult(unwritable, new CallBytes(message))).toThrow(
      expect.objectContaining({ kind: 'ANSWER_TOO_LARGE', details: { limit: 100 } }),
    )
    expect(encodeResult('x'.repeat(30), new CallBytes(message))).toHaveLength(32)
  })

  it('that only its escapes make too large is refused, and counts no more', () => {
    const message = messageOf(100)
    expect(() => encodeResult('\n'.repeat(90), new CallBytes(message))).toThrow(
      expect.objectContaining({ kind: 'ANSWER_TOO_LARGE' }),
    )
  })

  it('is refused when others have what is in flight', () => {
    const inFlight = new Shares(100)
    inFlight.take('b', 50)
    expect(() => encodeResult('x'.repeat(40), new CallBytes(messageOf(90, inFlight)))).toThrow(
      expect.objectContaining({ kind: 'IN_FLIGHT_LIMIT_EXCEEDED', details: { limit: 100 } }),
    )
    expect(encodeResult('x'.repeat(20), new CallBytes(messageOf(90, inFlight)))).toHaveLength(22)
  })
})
