import type { Hex, Word } from '@understudy/evm'
import { type Abi, type AbiEvent, type AbiFunction, erc20Abi, erc721Abi, erc1155Abi } from 'viem'
import { z } from 'zod'
import { parameterLimit, signatureOf, tupleDepthLimit } from '../ethereum/abi/signature.ts'
import { describeValue, firstProblem, formatPath } from '../shared/codec.ts'
import { isNestedDeeper, nestingLimit } from '../shared/json/valueLimit.ts'
import { keccak } from '../shared/keccak.ts'

type AbiConstructor = Extract<Abi[number], { type: 'constructor' }>
type AbiError = Extract<Abi[number], { type: 'error' }>

/** The ABI of a contract, prepared for decoding. */
export type ContractAbi = {
  items: Abi
  constructorItem: AbiConstructor | undefined
  /** By selector. */
  functions: ReadonlyMap<Hex, AbiFunction>
  /** By the first topic; several events may differ in their indexed parameters. */
  events: ReadonlyMap<Word, readonly AbiEvent[]>
  /** By selector. */
  errors: ReadonlyMap<Hex, AbiError>
}

/** Maximum length of an ABI's JSON in characters. Compilers produce up to some hundred thousand. */
const sizeLimit = 5_000_000
const fragmentLimit = 10_000

const elementary =
  /^(address|bool|string|function|bytes([1-9]|[12]\d|3[0-2])?|u?int(\d{1,3})?|u?fixed(\d{1,3}x\d{1,3})?|tuple)(\[\d{0,9}\]){0,16}$/
/** Parameters of libraries, such as storage pointers and user-defined types, from which no selector can be computed. */
const ofLibraries = /^.{0,400} storage\b|\w\.\w/
const type = z
  .string()
  .max(500, { error: 'has more than 500 characters' })
  .refine((type) => elementary.test(type) || ofLibraries.test(type), {
    error: ({ input }) => `expected an ABI type, got ${describeValue(input)}`,
  })
const Parameter = z
  .looseObject({
    name: z.string().optional(),
    type,
    get components(): z.ZodOptional<z.ZodArray<z.ZodType>> {
      return z.array(Parameter as z.ZodType).optional()
    },
  })
  .refine(({ type, components = [] }) => !type.startsWith('tuple') || components.length > 0, {
    error: 'is a tuple without components',
    path: ['components'],
  })
const name = z.string().regex(/^[A-Za-z_$][\w$]*$/, 'expected a name')
const parameters = z.array(Parameter)
const Item = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('function'), name, inputs: parameters, outputs: parameters.default([]) }),
  z.looseObject({ type: z.literal('event'), name, inputs: parameters }),
  z.looseObject({ type: z.literal('error'), name, inputs: parameters }),
  z.looseObject({ type: z.literal('constructor'), inputs: parameters.default([]) }),
  z.looseObject({ type: z.literal('fallback') }),
  z.looseObject({ type: z.literal('receive') }),
])

/** Parses the JSON of an ABI; returns the problem if it is invalid. */
export function parseContractAbi(json: string): { abi: ContractAbi } | { problem: string } {
  if (json.length > sizeLimit) return { problem: `has more than ${sizeLimit} characters` }
  let given: unknown
  try {
    given = JSON.parse(json)
  } catch (error) {
    return { problem: `is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (!Array.isArray(given)) return { problem: 'is not the JSON of an ABI: expected an array of fragments' }
  if (isNestedDeeper(given)) return { problem: `is nested more than ${nestingLimit} deep` }
  if (given.length > fragmentLimit) return { problem: `has more than ${fragmentLimit} fragments` }
  for (const [index, fragment] of given.entries()) {
    const excess = excessOf(fragment)
    if (excess) return { problem: `fragment ${index}: ${excess}` }
    const result = Item.safeParse(fragment)
    if (result.success) continue
    const { path, text } = firstProblem(result.error, fragment)
    return { problem: `fragment ${index}${formatPath(path)}: ${text}` }
  }
  return { abi: contractAbi(given as Abi) }
}

/** The exceeded limit of a fragment, checked before it is validated. */
function excessOf(fragment: unknown): string | undefined {
  const { inputs, outputs } = Object(fragment) as Record<string, unknown>
  let level: unknown[] = [inputs, outputs]
  let count = 0
  for (let depth = 0; level.length > 0; depth++) {
    const parameters = level.flatMap((list) => (Array.isArray(list) ? list : []))
    count += parameters.length
    if (count > parameterLimit) return `has more than ${parameterLimit} parameters`
    if (depth > tupleDepthLimit && parameters.length > 0) return `tuples are nested more than ${tupleDepthLimit} deep`
    level = parameters.map((parameter) => Object(parameter).components)
  }
  return undefined
}

/** Indexes an ABI. Skips fragments without a computable selector: those of libraries with storage pointers. */
export function contractAbi(items: Abi): ContractAbi {
  const functions = new Map<Hex, AbiFunction>()
  const events = new Map<Word, AbiEvent[]>()
  const errors = new Map<Hex, AbiError>()
  let constructorItem: AbiConstructor | undefined
  for (const item of items) {
    if (item.type === 'constructor') constructorItem = item
    if (item.type !== 'function' && item.type !== 'event' && item.type !== 'error') continue
    if (!item.inputs.every(({ type }) => /^[a-z\d[\]]+$/.test(type))) continue
    const topic = keccak(Buffer.from(signatureOf(item)))
    const selector = topic.slice(0, 10) as Hex
    if (item.type === 'function') functions.set(selector, item)
    else if (item.type === 'error') errors.set(selector, item)
    else if (!item.anonymous) {
      events.set(topic, [...(events.get(topic) ?? []), item])
    }
  }
  return { items, constructorItem, functions, events, errors }
}

/**
 * The standard token ABI, with which calls and events of unknown contracts can be decoded. Of functions that several standards
 * have (`approve`, `transferFrom`), it has those of ERC-20, whose tokens are many more.
 */
export const tokenAbi = contractAbi([...erc1155Abi, ...erc721Abi, ...erc20Abi] as Abi)
