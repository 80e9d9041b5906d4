import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordFromBigint } from '../../shared/hex.ts'
import { Address, Bytes, BytesAsHex, Hash, Word32 } from './hex.ts'
import { problem } from './problem.ts'

const address = '0x00000000000000000000000000000000000000aa'
const word = `0x${'ab'.repeat(32)}`

describe('Address', () => {
  it('is taken in any case, checksum or not, and lowercased', () => {
    expect(Address.parse('0xF39FD6e51aad88F6F4ce6aB8827279cffFb92266')).toBe(
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
    )
    expect(Address.parse(`0X${'AA'.repeat(20)}`)).toBe(`0x${'aa'.repeat(20)}`)
  })

  it.each([
    ['0x12', '"0x12"'],
    [address.slice(2), `"${address.slice(2)}"`],
    [`${address}00`, `"${address}00"`],
    [`${address.slice(0, -1)}g`, `"${address.slice(0, -1)}g"`],
    [`${address}\n`, `"${address}\\n"`],
    [5, '5'],
    [null, 'null'],
    [undefined, 'nothing'],
    [[address], 'an array of 1'],
    [{}, 'an object'],
    [`0x${'0'.repeat(500)}`, `"0x${'0'.repeat(38)}"… (502 characters)`],
  ])('is refused: %j', (input, got) => {
    expect(problem(Address, input)).toBe(`: expected a 20-byte 0x-hex address, got ${got}`)
  })
})

describe('words of 32 bytes', () => {
  it('are lowercased as hashes, and numbers as storage values', () => {
    expect(Hash.parse(word.toUpperCase().replace('0X', '0x'))).toBe(word)
    expect(Word32.parse(wordFromBigint(2n ** 256n - 1n))).toBe(2n ** 256n - 1n)
  })

  it.each(['0x', '0x1', word.slice(0, -2), `${word}00`, word.slice(2), 1, `${word.slice(0, -1)}z`])(
    'are refused: %j',
    (input) => {
      expect(problem(Hash, input)).toMatch(/expected a 32-byte 0x-hex hash, got /)
      expect(problem(Word32, input)).toMatch(/expected exactly 32 bytes \(0x and 64 hex digits\), got /)
    },
  )
})

describe('Bytes', () => {
  it('are any hex of even length', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const hex = `0x${Buffer.from(bytes).toString('hex')}`
        expect(Bytes.parse(hex)).toEqual(bytes)
        expect(BytesAsHex.parse(hex.toUpperCase())).toBe(hex)
      }),
    )
  })

  it('may be megabytes', () => {
    expect(Bytes.parse(`0x${'ab'.repeat(3_000_000)}`)).toHaveLength(3_000_000)
  })

  it('are none in an empty string', () => {
    expect(Bytes.parse('')).toEqual(new Uint8Array())
    expect(BytesAsHex.parse('')).toBe('0x')
  })

  it.each([
    ' ',
    '0',
    'ab',
    '0x1',
    '0xabc',
    '0xzz',
    '0xab ',
    '0xabzz00',
    5,
    null,
    undefined,
    ['0x'],
    `0x${'ab'.repeat(100_000)}zz`,
  ])('are refused: %j', (input) => {
    expect(problem(Bytes, input)).toMatch(/expected 0x-hex bytes \(an even number of hex digits\), got /)
  })
})
