import { hashTypedData } from 'viem'
import { describe, expect, it } from 'vitest'
import { problem } from '../problem.ts'
import { TypedData } from './typedData.ts'

describe('TypedData', () => {
  const note = {
    types: { EIP712Domain: [{ name: 'name', type: 'string' }], Note: [{ name: 'count', type: 'uint8' }] },
    primaryType: 'Note',
    domain: { name: 'Example' },
    message: { count: 1 },
  }

  it('is an object, or its JSON', () => {
    const hashed = { domain: note.domain, hash: hashTypedData(note as never) }
    expect(TypedData.parse(note)).toEqual(hashed)
    expect(TypedData.parse(JSON.stringify(note))).toEqual(hashed)
  })

  it.each([
    ['{', ': expected an object or its JSON, got "{"'],
    [5, ': expected an object, got 5'],
    [{ ...note, types: undefined }, '.types: expected an object, got nothing'],
    [{ ...note, types: { Note: 'x' } }, '.types.Note: expected an array, got "x"'],
  ])('is refused: %j', (input, text) => {
    expect(problem(TypedData, input)).toBe(text)
  })

  it('is refused when each of many structs has a type that takes long to hash', () => {
    const fields = Array.from({ length: 2000 }, (_, index) => ({ name: `f${index}`, type: 'Empty' }))
    const many = (length: number, type = fields) => ({
      types: { Empty: [], Large: type, List: [{ name: 'items', type: 'Large[]' }] },
      primaryType: 'List',
      domain: {},
      message: { items: Array.from({ length }, () => ({})) },
    })
    const tooMuch = expect.objectContaining({ kind: 'LIMIT_EXCEEDED' })
    expect(TypedData.parse(many(1))).toEqual({ domain: {}, hash: hashTypedData(many(1) as never) })
    expect(() => TypedData.parse(many(7600))).toThrow(tooMuch)
    expect(() => TypedData.parse(JSON.stringify(many(7600)))).toThrow(tooMuch)
    expect(() => TypedData.parse(many(100, [{ name: 'x'.repeat(20_000), type: 'Empty' }]))).toThrow(tooMuch)
    const inDomain = { ...many(0), types: { ...many(0).types, EIP712Domain: [{ name: 'items', type: 'Large[]' }] } }
    expect(() => TypedData.parse({ ...inDomain, domain: many(7600).message })).toThrow(tooMuch)
  })

  it.each([
    ['uint8[]', Array.from({ length: 20_000 }, () => 1)],
    ['bytes[]', Array.from({ length: 5000 }, () => '0x')],
    ['bytes1[][]', Array.from({ length: 5000 }, () => [])],
    ['string', 'x'.repeat(1_000_000)],
    ['bytes', `0x${'00'.repeat(500_000)}`],
  ])('is refused with much in a field of type %s', (type, value) => {
    const dataOf = (value: unknown) => ({
      types: { Much: [{ name: 'all', type }] },
      primaryType: 'Much',
      domain: {},
      message: { all: value },
    })
    expect(() => TypedData.parse(dataOf(value))).toThrow(expect.objectContaining({ kind: 'LIMIT_EXCEEDED' }))
    const half = value.slice(0, value.length / 2)
    expect(TypedData.parse(dataOf(half))).toHaveProperty('hash')
  })

  it('is refused with a number of a million digits before it is parsed', () => {
    const long = { ...note, message: { count: '1'.repeat(1_000_000) } }
    expect(() => TypedData.parse(long)).toThrow(expect.objectContaining({ kind: 'LIMIT_EXCEEDED' }))
  })

  it('is refused when its structs are in each other without end', () => {
    const self = { types: { Self: [{ name: 'next', type: 'Self' }] }, primaryType: 'Self', domain: {}, message: {} }
    expect(problem(TypedData, self)).toMatch(/cannot be hashed/)
    const deep = `${'{"next":'.repeat(2000)}{}${'}'.repeat(2000)}`
    const nested = JSON.stringify(self).replace('"message":{}', `"message":${deep}`)
    expect(problem(TypedData, nested)).toMatch(/cannot be hashed/)
  })

  it.each([
    { ...note, primaryType: 'Letter' },
    { ...note, message: { count: 300 } },
    { ...note, message: { count: 'many' } },
    { ...note, types: { ...note.types, Note: [{ name: 'to', type: 'address' }] }, message: { to: '0x12' } },
  ])('is refused with the reason when it cannot be hashed: %j', (input) => {
    expect(problem(TypedData, input)).toMatch(/^: cannot be hashed as EIP-712 data: ./)
  })
})
