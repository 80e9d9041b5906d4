import type { AbiParameter } from 'viem'

type WithComponents = AbiParameter & { components?: readonly AbiParameter[] }

/**
 * A form input as the value that viem encodes. Arrays and tuples are JSON.
 * Throws an error that names the parameter.
 */
export function parseArgument(parameter: AbiParameter, text: string): unknown {
  const { type } = parameter
  if (!type.endsWith(']') && type !== 'tuple') return parseLeaf(parameter, text.trim())
  let value: unknown
  try {
    value = JSON.parse(quoteBareWords(text))
  } catch {
    throw problemWith(
      parameter,
      `${JSON.stringify(text)} is not JSON. Enter ${type === 'tuple' ? '{…} or […]' : '[…]'}`,
    )
  }
  return fromJson(parameter, value)
}

/** Large numbers lose digits as JSON numbers, and addresses are often written without quotes. */
function quoteBareWords(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d_]*(?![\w.])|0x[0-9a-fA-F]*/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  )
}

function fromJson(parameter: WithComponents, value: unknown): unknown {
  const array = /^(.*)\[(\d*)\]$/.exec(parameter.type)
  if (array) {
    if (!Array.isArray(value)) throw problemWith(parameter, 'enter a list […]')
    const [, type = '', length] = array
    if (length && value.length !== Number(length)) throw problemWith(parameter, `enter ${length} elements`)
    return value.map((item) => fromJson({ ...parameter, type } as WithComponents, item))
  }
  if (parameter.type !== 'tuple') return parseLeaf(parameter, String(value))
  const components = parameter.components ?? []
  if (typeof value !== 'object' || value === null) throw problemWith(parameter, 'enter an object {…} or a list […]')
  const parts = value as Record<string, unknown>
  const values = components.map((component, index) => {
    const part = Array.isArray(value) ? value[index] : parts[component.name ?? '']
    if (part === undefined) throw problemWith(component, 'missing')
    return fromJson(component, part)
  })
  const isNamed = components.every(({ name }) => name)
  return isNamed ? Object.fromEntries(components.map(({ name }, index) => [name, values[index]])) : values
}

function parseLeaf(parameter: AbiParameter, text: string): unknown {
  const { type } = parameter
  if (/^u?int/.test(type)) {
    const scaled = /^(-?\d[\d_,]*(?:\.\d+)?)e(\d+)$/i.exec(text)
    if (scaled) return scale(scaled[1] ?? '', Number(scaled[2]))
    if (!/^-?(\d[\d_,]*|0x[0-9a-f]+)$/i.test(text))
      throw problemWith(parameter, `${JSON.stringify(text)} is not a whole number. Enter 1000, 0x3e8 or 1.5e18`)
    return BigInt(text.replaceAll(/[_,]/g, ''))
  }
  if (type === 'bool') {
    if (text !== 'true' && text !== 'false') throw problemWith(parameter, 'enter true or false')
    return text === 'true'
  }
  if (type === 'address' && !/^0x[0-9a-f]{40}$/i.test(text))
    throw problemWith(parameter, `${JSON.stringify(text)} is not an address (0x followed by 40 hex digits)`)
  if (type.startsWith('bytes') && !/^0x([0-9a-f]{2})*$/i.test(text))
    throw problemWith(parameter, `${JSON.stringify(text)} is not hex with a 0x prefix`)
  return type === 'address' ? text.toLowerCase() : text
}

/** Parses `1.5e18` without floating point. */
function scale(digits: string, exponent: number): bigint {
  const [whole = '0', fraction = ''] = digits.replaceAll(/[_,]/g, '').split('.')
  if (fraction.length > exponent) throw new Error(`${digits}e${exponent} is not a whole number`)
  return BigInt(whole + fraction.padEnd(exponent, '0'))
}

function problemWith(parameter: AbiParameter, problem: string): Error {
  return new Error(`${parameter.name || parameter.type}: ${problem}`)
}

/** The placeholder of an empty field. */
export function exampleOf({ type }: AbiParameter): string {
  if (type.endsWith(']')) return '[…]'
  if (type === 'tuple') return '{…}'
  if (/^u?int/.test(type)) return '1000, 0x3e8 or 1.5e18'
  if (type === 'bool') return 'true or false'
  if (type === 'address') return '0x…'
  return type.startsWith('bytes') ? '0x…' : 'text'
}
