import type { Hex } from '@understudy/evm'
import type { AbiFunction, AbiParameter } from 'viem'
import { describeValue } from '../../shared/codec.ts'
import { NetworkError } from '../../shared/errors.ts'
import { isNestedDeeper, nestingLimit } from '../../shared/json/valueLimit.ts'
import { keccak } from '../../shared/keccak.ts'
import { parameterLimit, parseSignature, SignatureError, signatureOf, tupleDepthLimit } from './signature.ts'

/** A validated function ABI from a client. */
export type FunctionAbi = {
  fragment: AbiFunction
  /** `0x` and 8 hex digits. */
  selector: Hex
  /** `name(type,…)`: the string that the selector is the hash of. */
  signature: string
  /** The fragment as JSON, including unknown fields. */
  json: string
}

/** Far beyond what compilers produce. */
const sizeLimit = 100_000
const arrayDepthLimit = 16
const baseTypes =
  /^(address|bool|string|bytes([1-9]|[12]\d|3[0-2])?|u?int(8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256)?|tuple)$/

/**
 * Parses a function's ABI from a JSON fragment (a string or an object) or a human-readable signature such as `function
 * balanceOf(address) view returns (uint256)`. Throws `INVALID_PARAMS` that names `field`.
 */
export function parseFunctionAbi(input: unknown, field = 'functionAbi'): FunctionAbi {
  const refuse = (problem: string, cause?: unknown) => new NetworkError('INVALID_PARAMS', { field, problem }, { cause })
  const requireShort = (text: string) => {
    if (text.length > sizeLimit) throw refuse(`has more than ${sizeLimit} characters`)
    return text
  }
  if (typeof input === 'string') requireShort(input)
  const source = typeof input === 'string' ? parseText(input.trim(), refuse) : input
  const given = Array.isArray(source) && source.length === 1 ? source[0] : source
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refuse(`expected the ABI fragment of one function, got ${describeValue(given)}`)
  if (isNestedDeeper(given)) throw refuse(`is nested more than ${nestingLimit} deep`)
  const { type = 'function', name, inputs = [], outputs = [], stateMutability = 'nonpayable' } = given as AbiFunction
  if (type !== 'function') throw refuse(`expected a fragment of type "function", got ${describeValue(type)}`)
  if (typeof name !== 'string' || !/^[A-Za-z_$][\w$]*$/.test(name))
    throw refuse(`expected the function's name, got ${describeValue(name)}`)
  const json = requireShort(JSON.stringify('type' in given ? given : { type, ...given }))
  const count = { left: parameterLimit }
  const fragment: AbiFunction = {
    type,
    name,
    inputs: parameters(inputs, 'inputs', refuse, count),
    outputs: parameters(outputs, 'outputs', refuse, count),
    stateMutability,
  }
  const signature = signatureOf(fragment)
  return { fragment, selector: keccak(Buffer.from(signature)).slice(0, 10) as Hex, signature, json }
}

type Refuse = (problem: string, cause?: unknown) => NetworkError

function parseText(text: string, refuse: Refuse): unknown {
  try {
    if (/^[[{"]/.test(text)) return JSON.parse(text)
    return parseSignature(text)
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof SignatureError)) throw error
    const reason = error.message
    throw refuse(`neither a JSON fragment nor a signature like "function name(type) returns (type)": ${reason}`, error)
  }
}

function parameters(given: unknown, at: string, refuse: Refuse, count: { left: number }, depth = 0): AbiParameter[] {
  if (!Array.isArray(given)) throw refuse(`${at}: expected an array, got ${describeValue(given)}`)
  if (depth > tupleDepthLimit) throw refuse(`${at}: tuples are nested more than ${tupleDepthLimit} deep`)
  if (depth > 0 && given.length === 0) throw refuse(`${at}: expected at least one component`)
  count.left -= given.length
  if (count.left < 0) throw refuse(`${at}: there are more than ${parameterLimit} parameters`)
  return given.map((parameter: unknown, index) => {
    const path = `${at}[${index}]`
    if (typeof parameter !== 'object' || parameter === null)
      throw refuse(`${path}: expected an object with name and type, got ${describeValue(parameter)}`)
    const { type, name, components, internalType } = parameter as Record<string, unknown>
    const [, base = '', dimensions = ''] = (typeof type === 'string' && /^([a-z0-9]+)((?:\[\d*\])*)$/.exec(type)) || []
    if (!baseTypes.test(base) || /\[0+\]/.test(dimensions) || dimensions.split('[').length > arrayDepthLimit)
      throw refuse(`${path}.type: expected an ABI type, got ${describeValue(type)}`)
    return {
      // Replace aliases with the types used in selectors.
      type: `${base === 'uint' || base === 'int' ? `${base}256` : base}${dimensions}`,
      ...(typeof name === 'string' && { name }),
      ...(typeof internalType === 'string' && { internalType }),
      ...(base === 'tuple' && { components: parameters(components, `${path}.components`, refuse, count, depth + 1) }),
    } as AbiParameter
  })
}
