import type { Hex, Word } from '@understudy/evm'
import { getAddress } from 'viem'
import { wordFromBigint } from '../../shared/hex.ts'

/**
 * A value of a type that fits into a slot, as a string in the notation of `outputValue.ts`. Enums are shown as numbers.
 */
export function formatValue(label: string, bytes: number, value: bigint): string {
  const hex = value.toString(16).padStart(bytes * 2, '0')
  if (label === 'bool') return value === 0n ? 'false' : value === 1n ? 'true' : `0x${hex}`
  if (/^(address|contract )/.test(label)) return getAddress(`0x${hex.slice(-40).padStart(40, '0')}`)
  if (/^(uint|enum )/.test(label)) return value.toString()
  if (label.startsWith('int')) return BigInt.asIntN(bytes * 8, value).toString()
  // Bytes, function pointers, and user-defined types, whose underlying type solc does not report.
  return `0x${hex}`
}

/** The inverse: a value as a number of so many bytes; also numbers in 0x-hex. `undefined` if the text is invalid. */
export function parseValue(label: string, bytes: number, text: string): bigint | undefined {
  if (label === 'bool' && (text === 'true' || text === 'false')) return text === 'true' ? 1n : 0n
  if (!/^(?:-?\d{1,78}|0x[\da-f]{1,64})$/i.test(text)) return undefined
  if (/^bytes\d+$/.test(label) && text.length !== 2 + bytes * 2) return undefined
  if (/^(address|contract )/.test(label) && text.length !== 42) return undefined
  const value = BigInt(text)
  if (label === 'bool' && value > 1n) return undefined
  if (value >= 0n) return value >> BigInt(bytes * 8) === 0n ? value : undefined
  const isInRange = label.startsWith('int') && value >= -(1n << BigInt(bytes * 8 - 1))
  return isInRange ? BigInt.asUintN(bytes * 8, value) : undefined
}

/** The bytes `[offset, offset + bytes)` of a slot, counted from its low end. */
export function fieldOf(word: bigint, offset: number, bytes: number): bigint {
  return (word >> BigInt(offset * 8)) & ((1n << BigInt(bytes * 8)) - 1n)
}

/** Converts a mapping key from its hashed form to text. */
export function formatKey(label: string, bytes: number, key: Word): string {
  const isLeftAligned = /^bytes\d+$/.test(label)
  const value = BigInt(key)
  return formatValue(label, bytes, isLeftAligned ? value >> BigInt((32 - bytes) * 8) : fieldOf(value, 0, bytes))
}

/** Converts a mapping key from text to the form that is hashed with its slot; `undefined` if the text is invalid. */
export function parseKey(label: string, bytes: number, text: string): Hex | undefined {
  if (label === 'string') return `0x${Buffer.from(text).toString('hex')}`
  if (label === 'bytes') return /^0x([\da-f]{2})*$/i.test(text) ? (text.toLowerCase() as Hex) : undefined
  if (label === 'bool')
    return text === 'true' || text === 'false' ? wordFromBigint(text === 'true' ? 1n : 0n) : undefined
  if (!/^(-?\d{1,78}|0x[\da-f]{1,64})$/i.test(text)) return undefined
  if (/^bytes\d+$/.test(label))
    return text.length === 2 + bytes * 2 ? (`0x${text.slice(2).toLowerCase().padEnd(64, '0')}` as Hex) : undefined
  if (/^(address|contract )/.test(label) && text.length !== 42) return undefined
  const value = BigInt(text)
  if (value < 0n) return label.startsWith('int') ? wordFromBigint(BigInt.asUintN(256, value)) : undefined
  return value >> BigInt(bytes * 8) === 0n ? wordFromBigint(value) : undefined
}
