import type { Hex } from '@understudy/evm'
import { type AbiParameter, decodeAbiParameters, getAddress } from 'viem'
import { NetworkError } from '../../shared/errors.ts'
import { isInflated } from './decodedSize.ts'

/** A path into the outputs of a function: to an output, and further into tuples and arrays by position. */
export type OutputPath = { steps: readonly number[]; parameter: AbiParameter }

type Compound = AbiParameter & { components?: readonly AbiParameter[] }

/**
 * Resolves `info.balance`, `0.amount` or `2` in a function's outputs. If the only output is a tuple, the path may start
 * inside it. Throws `INVALID_PARAMS` that names `field`.
 */
export function resolveOutputPath(outputs: readonly AbiParameter[], path: string, field: string): OutputPath {
  const segments = path.split('.')
  const [only] = outputs
  const direct = follow({ type: 'tuple', components: outputs }, segments)
  const inside = outputs.length === 1 && only ? follow(only, segments) : undefined
  const within = inside && { steps: [0, ...inside.steps], parameter: inside.parameter }
  // If there are two interpretations, prefer the one that ends at a value, not at a tuple.
  const [best] = [direct, within].filter((found) => found !== undefined).sort((a, b) => rank(a) - rank(b))
  if (best) return best
  const known = outputs.length === 0 ? 'it has none' : `they are ${outputs.map(describe).join(', ')}`
  throw new NetworkError('INVALID_PARAMS', {
    field,
    problem: `${JSON.stringify(path)} is not in the outputs: ${known}`,
  })
}

const rank = ({ parameter }: OutputPath) => Number(parameter.type === 'tuple')

function follow(from: Compound, segments: readonly string[]): OutputPath | undefined {
  let at = from
  const steps: number[] = []
  for (const segment of segments) {
    const array = /^(.*)\[(\d*)\]$/.exec(at.type)
    const index = /^\d{1,6}$/.test(segment) ? Number(segment) : undefined
    if (array) {
      const [, type = '', length = ''] = array
      if (index === undefined || (length !== '' && index >= Number(length))) return undefined
      steps.push(index)
      at = { ...at, type }
      continue
    }
    const components = at.type === 'tuple' ? (at.components ?? []) : []
    const named = components.findIndex(({ name }) => name !== undefined && name !== '' && name === segment)
    const step = named >= 0 ? named : index
    const next = step === undefined ? undefined : components[step]
    if (step === undefined || !next) return undefined
    steps.push(step)
    at = next
  }
  return { steps, parameter: at }
}

function describe({ name, type, ...rest }: Compound, index: number): string {
  const inner = rest.components ? ` (${rest.components.map(describe).join(', ')})` : ''
  return `${name || index}: ${type}${inner}`
}

/** The reason why a function's result has no value; the message is for people. */
export class OutputError extends Error {}

/**
 * Decodes a value in a function's return data as a string: integers in decimal, booleans as `true` and `false`,
 * checksummed addresses, bytes as 0x-hex, strings unchanged. Arrays and tuples are JSON of such values; a tuple with
 * named components is an object. Without a path, several outputs are an array. Throws `OutputError`.
 */
export function readOutput(outputs: readonly AbiParameter[], path: OutputPath | undefined, data: Hex): string {
  const decoded = decode(outputs, data)
  if (!path) {
    const [only] = outputs
    if (outputs.length === 1 && only) return textOf(only, decoded[0])
    return JSON.stringify(outputs.map((output, index) => leaves(output, decoded[index])))
  }
  let value: unknown = decoded
  for (const step of path.steps) {
    const elements = value as readonly unknown[]
    if (step >= elements.length)
      throw new OutputError(`element ${step} was requested of an array that has ${elements.length} elements now`)
    value = elements[step]
  }
  return textOf(path.parameter, value)
}

/** All values in ABI-encoded data, in the same notation. Throws `OutputError`. */
export function decodeValues(parameters: readonly AbiParameter[], data: Hex): Leaves[] {
  const decoded = parameters.length === 0 ? [] : decode(parameters, data)
  return parameters.map((parameter, index) => leaves(parameter, decoded[index]))
}

function decode(outputs: readonly AbiParameter[], data: Hex): readonly unknown[] {
  if (isInflated(outputs, data)) throw new OutputError('the return data does not match the outputs: it repeats itself')
  try {
    return decodeAbiParameters(outputs.map(withoutNames), data)
  } catch (error) {
    const what =
      data === '0x' ? 'nothing was returned; is there a contract?' : 'the return data does not match the outputs'
    throw new OutputError(what, { cause: error })
  }
}

/** Without names, viem decodes every tuple to an array; names may be missing or duplicate. */
function withoutNames({ type, components }: Compound): AbiParameter {
  return components ? { type, components: components.map(withoutNames) } : { type }
}

function textOf(parameter: AbiParameter, value: unknown): string {
  const encoded = leaves(parameter, value)
  return typeof encoded === 'string' ? encoded : JSON.stringify(encoded)
}

/** A value for display: a string, or arrays and objects of strings. */
export type Leaves = string | Leaves[] | { [name: string]: Leaves }

function leaves(parameter: Compound, value: unknown): Leaves {
  const inner = /^(.*)\[\d*\]$/.exec(parameter.type)?.[1]
  if (inner !== undefined) return (value as unknown[]).map((element) => leaves({ ...parameter, type: inner }, element))
  const { components } = parameter
  if (components) {
    const elements = value as readonly unknown[]
    const texts = components.map((component, index) => leaves(component, elements[index]))
    if (!isNamed(components)) return texts
    return Object.fromEntries(components.map(({ name = '' }, index) => [name, texts[index] ?? '']))
  }
  return parameter.type === 'address' ? getAddress(value as Hex) : String(value)
}

function isNamed(components: readonly AbiParameter[]): boolean {
  const names = new Set(components.map(({ name }) => name))
  return names.size === components.length && !names.has('') && !names.has(undefined)
}
