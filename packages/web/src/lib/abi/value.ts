import type { AbiParameter } from 'viem'
import { checksummed } from '../../format/hash.ts'

/** A decoded value as text, like recorded values: integers in decimal, lists and structs as JSON. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return checksummed(value)
  if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === null || value === undefined) return ''
  return JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? part.toString() : part))
}

export type NamedValue = { name: string; type: string; value: unknown }

/** Pairs decoded values with their parameters; viem returns a single output bare and several as a list. */
export function nameValues(parameters: readonly AbiParameter[], values: unknown): NamedValue[] {
  const list = parameters.length === 1 ? [values] : Array.isArray(values) ? values : Object.values(values ?? {})
  return parameters.map(({ name, type }, index) => ({ name: name || `${index}`, type, value: list[index] }))
}
