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

  it('is as long as an endpoint makes it', () =>
    expect(bytesFromAnswer('eth_call', `0x${'61'.repeat(10_000_000)}`).length).toBe(10_000_000))
  it('is code', () => expect(bytesFromAnswer('eth_getCode', '0x6001')).toEqual(new Uint8Array([0x60, 1])))

  it('is a block, untouched', () => expect(blockFromAnswer('latest', block)).toBe(block))

  it.each([
    ['number', '0x20000000000000'],
    ['timestamp', '0xffffffffffffffff'],
    ['timestamp', '0x3afff44180'],
    ['gasLimit', `0x${'ff'.repeat(32)}`],
    ['gasUsed', 'many'],
    ['baseFeePerGas', '0x10000000000000000'],
    ['excessBlobGas', '0x100000000'],
    ['blobGasUsed', '0xffffffffffffffff'],
    ['difficulty', `0x1${'00'.repeat(32)}`],
    ['stateRoot', '0xabc'],
    ['logsBloom', `0x${'00'.repeat(257)}`],
    ['extraData', `0x${'00'.repeat(500_000)}`],
    ['extraData', 7],
  ])('is no block whose %s is %s', (name, value) => {
    const problem = expect.stringContaining(`${name} of eth_getBlockByNumber: expected`)
    expect(() => blockFromAnswer('latest', { ...block, [name]: value })).toThrow(
      expect.objectContaining({ ...refused, details: { problem } }),
    )
  })

  it('is a block of a chain that leaves fields out, or has its own', () => {
    const rare = { ...block, baseFeePerGas: null, gasLimit: '0x', extraData: undefined, l1BlockNumber: '0x1' }
    expect(blockFromAnswer('latest', rare)).toBe(rare)
  })

  it.each([null, undefined, 'what?', {}, { ...block, hash: '0x1' }, { ...block, number: null }])(
    'is no block: %j',
    (answer) => expect(() => blockFromAnswer('latest', answer)).toThrow(expect.objectContaining(refused)),
  )
})
