import type { AbiParameter } from 'viem'

type WithComponents = AbiParameter & { components?: readonly AbiParameter[] }

/** What an amount can be in, and how many decimals it has. */
export type Unit = { symbol: string; decimals: number }

const etherUnits: readonly Unit[] = [
  { symbol: 'ether', decimals: 18 },
  { symbol: 'gwei', decimals: 9 },
  { symbol: 'wei', decimals: 0 },
]

/**
 * A form input as the value that viem encodes. Arrays and tuples are JSON; a number may be in a unit, such as `1.5 GOLD`.
 * Throws an error that names the parameter.
 */
export function parseArgument(parameter: AbiParameter, text: string, units: readonly Unit[] = []): unknown {
  const { type } = parameter
  if (!type.endsWith(']') && type !== 'tuple') return parseLeaf(parameter, text.trim(), units)
  let value: unknown
  try {
    value = JSON.parse(quoteBareWords(text))
  } catch {
    throw problemWith(
      parameter,
      `${JSON.stringify(text)} is not JSON. Enter ${type === 'tuple' ? '{…} or […]' : '[…]'}`,
    )
  }
  return fromJson(parameter, value, units)
}

/** Large numbers lose digits as JSON numbers, and addresses are often written without quotes. */
function quoteBareWords(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d_]*(?![\w.])|0x[0-9a-fA-F]*/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  )
}

function fromJson(parameter: WithComponents, value: unknown, units: readonly Unit[]): unknown {
  const array = /^(.*)\[(\d*)\]$/.exec(parameter.type)
  if (array) {
    if (!Array.isArray(value)) throw problemWith(parameter, 'enter a list […]')
    const [, type = '', length] = array
    if (length && value.length !== Number(length)) throw problemWith(parameter, `enter ${length} elements`)
    return value.map((item) => fromJson({ ...parameter, type } as WithComponents, item, units))
  }
  if (parameter.type !== 'tuple') return parseLeaf(parameter, String(value), units)
  const components = parameter.components ?? []
  if (typeof value !== 'object' || value === null) throw problemWith(parameter, 'enter an object {…} or a list […]')
  const parts = value as Record<string, unknown>
  const values = components.map((component, index) => {
    const part = Array.isArray(value) ? value[index] : parts[component.name ?? '']
    if (part === undefined) throw problemWith(component, 'missing')
    return fromJson(component, part, units)
  })
  const isNamed = components.every(({ name }) => name)
  return isNamed ? Object.fromEntries(components.map(({ name }, index) => [name, values[index]])) : values
}

function parseLeaf(parameter: AbiParameter, text: string, units: readonly Unit[]): unknown {
  const { type } = parameter
  if (/^u?int/.test(type)) {
    const scaled = /^(-?\d[\d_,]*(?:\.\d+)?)e(\d+)$/i.exec(text)
    if (scaled) return scale(scaled[1] ?? '', Number(scaled[2]))
    if (/^-?(\d[\d_,]*|0x[0-9a-f]+)$/i.test(text)) return BigInt(text.replaceAll(/[_,]/g, ''))
    const [, digits = '', symbol = ''] = /^(\d[\d_,]*(?:\.\d+)?)\s*(\D\S*)$/.exec(text) ?? []
    const unit = unitOf(symbol, units)
    if (!unit) {
      const examples = ['1000', '0x3e8', ...(units[0] ? ['1.5e18', `1.5 ${units[0].symbol}`] : ['1.5e18'])]
      const last = examples.pop()
      throw problemWith(
        parameter,
        `${JSON.stringify(text)} is not a whole number. Enter ${examples.join(', ')} or ${last}`,
      )
    }
    if ((digits.split('.')[1]?.length ?? 0) > unit.decimals)
      throw problemWith(parameter, `${digits} has more decimals than ${unit.symbol} has: ${unit.decimals}`)
    return scale(digits, unit.decimals)
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

/** The unit of a name; none when two units of that name have other decimals. */
function unitOf(symbol: string, units: readonly Unit[]): Unit | undefined {
  const named = [...units, ...etherUnits].filter((unit) => unit.symbol.toLowerCase() === symbol.toLowerCase())
  return named.every(({ decimals }) => decimals === named[0]?.decimals) ? named[0] : undefined
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

/** Whether a parameter is an amount of a token, by its name. */
export function isAmount({ type, name = '' }: { type: string; name?: string | undefined }): boolean {
  return /^uint/.test(type) && /amount|value|wad|quantity|balance|supply|assets/i.test(name) && !type.endsWith(']')
}

/** The placeholder of an empty field. */
export function exampleOf({ type, name }: AbiParameter, units: readonly Unit[] = []): string {
  if (type.endsWith(']')) return '[…]'
  if (type === 'tuple') return '{…}'
  if (units[0] && isAmount({ type, name })) return `1.5 ${units[0].symbol} or 1000`
  if (/^u?int/.test(type)) return '1000, 0x3e8 or 1.5e18'
  if (type === 'bool') return 'true or false'
  if (type === 'address') return '0x…'
  return type.startsWith('bytes') ? '0x…' : 'text'
}
