import { describe, expect, it } from 'vitest'
import { blockFromAnswer, bytesFromAnswer, numberFromAnswer } from './answers.ts'

const refused = { kind: 'UPSTREAM_ERROR' }
const hash = `0x${'ab'.repeat(32)}`
const block = { number: '0x10', timestamp: '0x6543', hash, parentHash: hash, extra: 'is kept' }

describe('what upstream answers', () => {
  it.each([
    ['0x0', 0n],
    ['0x', 0n],
    [`0x${'0'.repeat(62)}2a`, 42n],
  ])('is a number: %j', (answer, number) => expect(numberFromAnswer('eth_getBalance', answer)).toBe(number))

  it.each([null, undefined, true, 12, '', '12', 'what?', '0xzz', [], {}, `0x1${'0'.repeat(64)}`])(
    'is no number, and is not taken for one: %j',
    (answer) => {
      expect(() => numberFromAnswer('eth_getBalance', answer)).toThrow(expect.objectContaining(refused))
    },
  )

  it.each([null, undefined, 12, '', 'what?', '0x1', '0xzz', {}])('is no code: %j', (answer) => {
    expect(() => bytesFromAnswer('eth_getCode', answer)).toThrow(expect.objectContaining(refused))
  })

  it('is code', () => expect(bytesFromAnswer('eth_getCode', '0x6001')).toEqual(new Uint8Array([0x60, 1])))

  it('is a block, untouched', () => expect(blockFromAnswer('latest', block)).toBe(block))

  it.each([null, undefined, 'what?', {}, { ...block, hash: '0x1' }, { ...block, number: null }])(
    'is no block: %j',
    (answer) => expect(() => blockFromAnswer('latest', answer)).toThrow(expect.objectContaining(refused)),
  )
})
