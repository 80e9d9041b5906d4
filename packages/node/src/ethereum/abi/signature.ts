import type { AbiFunction, AbiParameter } from 'viem'
import { describeValue } from '../../shared/codec.ts'

/** Maximum nesting depth of tuples. */
export const tupleDepthLimit = 16
/** Maximum number of parameters of one function, event or error, including tuple components. */
export const parameterLimit = 1_000

type Compound = AbiParameter & { components?: readonly AbiParameter[] }

/** `name(type,…)`: the string that selectors and topics are hashes of. */
export function signatureOf({ name, inputs }: { name: string; inputs: readonly AbiParameter[] }): string {
  return `${name}(${inputs.map(typeOf).join(',')})`
}

function typeOf({ type, components }: Compound): string {
  return components ? `(${components.map(typeOf).join(',')})${type.slice('tuple'.length)}` : type
}

/** The reason why a human-readable signature is invalid; the message is for people. */
export class SignatureError extends Error {}

const otherKinds = ['event', 'error', 'constructor', 'fallback', 'receive']
const mutabilities = ['pure', 'view', 'nonpayable', 'payable']
const visibilities = ['external', 'public']
const locations = ['calldata', 'memory', 'storage', 'indexed']

/**
 * Parses `function name(type name, (type, type)[] name) view returns (type)`; the keyword is optional. Types are not
 * validated. For events and other kinds, only `type` is returned. Runs in linear time. Throws `SignatureError`.
 */
export function parseSignature(text: string): AbiFunction | { type: string } {
  const tokens = text.match(/[A-Za-z_$][\w$]*|\d+|\S/g) ?? []
  let at = 0
  let count = 0
  const takeIf = (...wanted: string[]) => (wanted.includes(tokens[at] ?? '') ? tokens[at++] : undefined)
  const isWord = () => /^[A-Za-z_$]/.test(tokens[at] ?? '')
  const expected = (what: string) => new SignatureError(`expected ${what}, got ${describeValue(tokens[at])}`)

  function take(symbol: string): void {
    if (!takeIf(symbol)) throw expected(`"${symbol}"`)
  }

  function takeWord(what: string): string {
    if (!isWord()) throw expected(what)
    return tokens[at++] ?? ''
  }

  function takeParameters(depth: number): AbiParameter[] {
    if (depth > tupleDepthLimit) throw new SignatureError(`tuples are nested more than ${tupleDepthLimit} deep`)
    take('(')
    const parameters: AbiParameter[] = []
    if (takeIf(')')) return parameters
    do parameters.push(takeParameter(depth))
    while (takeIf(','))
    take(')')
    return parameters
  }

  function takeParameter(depth: number): AbiParameter {
    if (++count > parameterLimit) throw new SignatureError(`has more than ${parameterLimit} parameters`)
    if (tokens[at] === 'tuple' && tokens[at + 1] === '(') at++
    const components = tokens[at] === '(' ? takeParameters(depth + 1) : undefined
    const parts = [components ? 'tuple' : takeWord('a type')]
    if (parts[0] === 'address') takeIf('payable')
    while (takeIf('[')) {
      const length = /^\d/.test(tokens[at] ?? '') ? tokens[at++] : ''
      take(']')
      parts.push(`[${length}]`)
    }
    takeIf(...locations)
    const name = isWord() ? takeWord('a name') : undefined
    return { type: parts.join(''), ...(name !== undefined && { name }), ...(components && { components }) }
  }

  const kind = takeIf(...otherKinds)
  if (kind !== undefined) return { type: kind }
  takeIf('function')
  const name = takeWord("the function's name")
  const inputs = takeParameters(0)
  takeIf(...visibilities)
  const stateMutability = (takeIf(...mutabilities) ?? 'nonpayable') as AbiFunction['stateMutability']
  takeIf(...visibilities)
  const outputs = takeIf('returns') ? takeParameters(0) : []
  if (at < tokens.length) throw expected('the end')
  return { type: 'function', name, inputs, outputs, stateMutability }
}
