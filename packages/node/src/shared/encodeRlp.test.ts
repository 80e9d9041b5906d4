import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeRlp, type RlpItem } from './encodeRlp.ts'

const bytes = fc.oneof(fc.uint8Array({ maxLength: 3 }), fc.uint8Array({ minLength: 50, maxLength: 60 }))
const { item } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof({ depthSize: 'medium' }, bytes, fc.array(tie('item'), { maxLength: 6 })),
}))

const text = (encoded: Uint8Array) => Buffer.from(encoded).toString('hex')

it('encodes as the library of ethereumjs does', () => {
  fc.assert(
    fc.property(item, (given) => {
      expect(text(encodeRlp(given))).toBe(text(RLP.encode(given as Uint8Array[])))
    }),
    { numRuns: 500 },
  )
})

it.each([0, 1, 55, 56, 255, 256, 65_535, 65_536, 70_000])('encodes %i bytes, and a list of them', (length) => {
  const given = new Uint8Array(length).fill(7)
  expect(text(encodeRlp(given))).toBe(text(RLP.encode(given)))
  expect(text(encodeRlp([given, [given]]))).toBe(text(RLP.encode([given, [given]])))
})

it('encodes each byte', () => {
  for (let byte = 0; byte < 256; byte++)
    expect(text(encodeRlp(Uint8Array.of(byte)))).toBe(text(RLP.encode(Uint8Array.of(byte))))
})
