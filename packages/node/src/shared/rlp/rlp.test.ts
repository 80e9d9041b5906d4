import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeRlp, hasMoreItems } from './decodeRlp.ts'
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

const countOf = (item: RlpItem): number =>
  item instanceof Uint8Array ? 1 : (item as RlpItem[]).reduce<number>((sum, each) => sum + countOf(each), 1)

it('counts lists, and all that is in them', () => {
  fc.assert(
    fc.property(item, (item) => {
      const [bytes, count] = [encodeRlp(item), countOf(item)]
      expect(hasMoreItems(bytes, count)).toBe(false)
      expect(hasMoreItems(bytes, count - 1)).toBe(true)
    }),
  )
})

it('ends with what is not RLP', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => typeof hasMoreItems(bytes, 10) === 'boolean'))
  expect(hasMoreItems(new Uint8Array([0xbf, 255, 255, 255, 255, 255, 255, 255, 255]), 1)).toBe(false)
})

const isRefused = (bytes: Uint8Array, decode: (bytes: Uint8Array) => unknown) => {
  try {
    decode(bytes)
    return false
  } catch {
    return true
  }
}

it('decodes what it encodes', () => {
  fc.assert(
    fc.property(item, (given) => {
      expect(decodeRlp(encodeRlp(given))).toEqual(given)
    }),
  )
})

it('decodes and refuses as the library of ethereumjs does', () => {
  const changed = fc.tuple(item, fc.nat(), fc.nat(255)).map(([given, offset, byte]) => {
    const bytes = encodeRlp(given)
    bytes[offset % bytes.length] = byte
    return bytes
  })
  const given = fc.oneof(changed, fc.uint8Array({ minLength: 1, maxLength: 80 }))
  fc.assert(
    fc.property(given, (bytes) => {
      const expected = isRefused(bytes, RLP.decode as never) ? 'refused' : RLP.decode(bytes)
      expect(isRefused(bytes, decodeRlp) ? 'refused' : decodeRlp(bytes)).toEqual(expected)
    }),
    { numRuns: 3000 },
  )
})

it('refuses lists within lists without an end, and bytes that follow', () => {
  expect(() => decodeRlp(new Uint8Array(100_000).fill(0xc1))).toThrow(RangeError)
  let deep: RlpItem = []
  for (let depth = 0; depth < 20; depth++) deep = [deep]
  expect(() => decodeRlp(encodeRlp(deep))).toThrow('too many lists')
  expect(() => decodeRlp(Uint8Array.of(1, 2))).toThrow('bytes follow')
  expect(() => decodeRlp(new Uint8Array())).toThrow('ends early')
})
