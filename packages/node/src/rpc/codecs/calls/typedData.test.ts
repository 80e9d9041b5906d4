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
    expect(TypedData.parse(note)).toEqual(note)
    expect(TypedData.parse(JSON.stringify(note))).toEqual(note)
  })

  it.each([
    ['{', ': expected an object or its JSON, got "{"'],
    [5, ': expected an object, got 5'],
    [{ ...note, types: undefined }, '.types: expected an object, got nothing'],
    [{ ...note, types: { Note: 'x' } }, '.types.Note: expected an array, got "x"'],
  ])('is refused: %j', (input, text) => {
    expect(problem(TypedData, input)).toBe(text)
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
