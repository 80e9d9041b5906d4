import type { AbiParameter } from 'viem'
import { encodeAbiParameters } from 'viem'
import { describeValue } from '../../shared/codec.ts'
import { NetworkError } from '../../shared/errors.ts'
import { bytesFromHex } from '../../shared/hex.ts'
import { requireFewValuesIn } from '../../shared/json/valueLimit.ts'

/**
 * Encodes values written as strings, one for each parameter: integers in decimal or 0x-hex, booleans as `true` or
 * `false`, bytes as 0x-hex, strings unchanged, arrays and tuples as JSON (a tuple as an array or as an object keyed by
 * component names). Throws `INVALID_PARAMS` that names the value: `field[1] (answer)`.
 */
export function encodeValues(
  field: string,
  parameters: readonly AbiParameter[],
  values: readonly unknown[],
): Uint8Array {
  if (values.length !== parameters.length) {
    const types = parameters.length === 0 ? '' : `: ${parameters.map(titleOf).join(', ')}`
    const problem = `expected ${parameters.length} value${parameters.length === 1 ? '' : 's'}${types}; got ${values.length}`
    throw new NetworkError('INVALID_PARAMS', { field, problem })
  }
  const converted = parameters.map((parameter, index) => {
    const name = parameter.name ? ` (${parameter.name})` : ''
    return convert(parameter, fromText(parameter, values[index]), `${field}[${index}]${name}`)
  })
  return bytesFromHex(encodeAbiParameters(parameters, converted))
}

/** The elements of a JSON array of arguments, with exact numbers of any size. Throws `INVALID_PARAMS`. */
export function parseJsonArguments(field: string, text: string): unknown[] {
  const parsed = parseExactJson(text)
  if (Array.isArray(parsed)) return parsed
  throw new NetworkError('INVALID_PARAMS', { field, problem: `expected a JSON array, got ${describeValue(text)}` })
}

/** Parses JSON with every number as its source text; `undefined` if it is not JSON. */
function parseExactJson(text: string): unknown {
  requireFewValuesIn(text, 'a request')
  // Also accepts an unterminated string; otherwise each of its quotes would start another scan.
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*/g, (token) =>
    token[0] === '"' ? token : `"${token}"`,
  )
  try {
    return JSON.parse(quoted)
  } catch {
    return undefined
  }
}

/** Values of compound types are JSON inside strings. */
function fromText({ type }: AbiParameter, value: unknown): unknown {
  const isCompound = type.endsWith(']') || type === 'tuple'
  return isCompound && typeof value === 'string' ? (parseExactJson(value) ?? value) : value
}

type Compound = AbiParameter & { components?: readonly AbiParameter[] }

/** A value in the form that viem's encoder takes. */
function convert(parameter: Compound, value: unknown, at: string): unknown {
  const { type } = parameter
  const refuse = (expected: string) =>
    new NetworkError('INVALID_PARAMS', { field: at, problem: `expected ${expected}, got ${describeValue(value)}` })
  const array = /^(.*)\[(\d*)\]$/.exec(type)
  if (array) {
    const [, inner = '', length = ''] = array
    if (!Array.isArray(value)) throw refuse(`a JSON array of ${inner}`)
    if (length !== '' && value.length !== Number(length)) throw refuse(`${length} elements of ${inner}`)
    return value.map((element, index) => convert({ ...parameter, type: inner }, element, `${at}[${index}]`))
  }
  if (type === 'tuple') return convertTuple(parameter.components ?? [], value, at, refuse)
  const integer = /^(u?)int(\d+)$/.exec(type)
  if (integer) return convertInteger(value, integer[1] === 'u', BigInt(integer[2] ?? 256), () => refuse(type))
  const text = typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string') throw refuse(type)
  switch (type) {
    case 'string':
      return text
    case 'bool':
      if (text !== 'true' && text !== 'false') throw refuse('a bool: true or false')
      return text === 'true'
    case 'address':
      if (!/^0x[\da-f]{40}$/i.test(text)) throw refuse('an address: 0x and 40 hex digits')
      return text.toLowerCase()
    default: {
      const size = type.slice('bytes'.length)
      if (!/^0x([\da-f]{2})*$/i.test(text)) throw refuse(`${type}: 0x and an even number of hex digits`)
      if (size !== '' && text.length !== 2 + 2 * Number(size))
        throw refuse(`${type}: 0x and ${2 * Number(size)} hex digits`)
      return text
    }
  }
}

function convertTuple(
  components: readonly AbiParameter[],
  value: unknown,
  at: string,
  refuse: (expected: string) => NetworkError,
): unknown[] {
  const title = `a tuple (${components.map(titleOf).join(', ')})`
  if (Array.isArray(value)) {
    if (value.length !== components.length) throw refuse(`${title} of ${components.length} values`)
    return components.map((component, index) => convert(component, value[index], `${at}[${index}]`))
  }
  if (typeof value !== 'object' || value === null) throw refuse(title)
  const names = new Set(components.map(({ name }) => name))
  const unknown = Object.keys(value).find((key) => !names.has(key))
  if (unknown !== undefined || names.size !== components.length || names.has(undefined) || names.has(''))
    throw refuse(`${title}, as an array or as an object with just these names`)
  return components.map((component) => {
    const name = component.name as string
    return convert(component, Object.hasOwn(value, name) ? value[name as never] : undefined, `${at}.${name}`)
  })
}

function convertInteger(value: unknown, unsigned: boolean, bits: bigint, refuse: () => NetworkError): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  // 2^256 has 78 digits. Longer values are rejected early, before they cost time.
  if (typeof text !== 'string' || !/^(-?\d{1,78}|-?0x[\da-f]{1,64})$/i.test(text)) throw refuse()
  const number = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)
  const [low, high] = unsigned ? [0n, 1n << bits] : [-(1n << (bits - 1n)), 1n << (bits - 1n)]
  if (number < low || number >= high) throw refuse()
  return number
}

function titleOf({ type, name }: AbiParameter): string {
  return name ? `${type} ${name}` : type
}
