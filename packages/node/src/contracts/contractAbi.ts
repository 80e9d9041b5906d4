import type { Hex, Word } from '@understudy/evm'
import { type Abi, type AbiEvent, type AbiFunction, erc20Abi, erc721Abi, erc1155Abi, toFunctionSignature } from 'viem'
import { z } from 'zod'
import { firstProblem, formatPath } from '../shared/codec.ts'
import { keccak } from '../shared/keccak.ts'

type AbiConstructor = Extract<Abi[number], { type: 'constructor' }>
type AbiError = Extract<Abi[number], { type: 'error' }>

/** The ABI of a contract, ready to decode with. */
export type ContractAbi = {
  items: Abi
  constructorItem: AbiConstructor | undefined
  /** By selector. */
  functions: ReadonlyMap<Hex, AbiFunction>
  /** By their first topic; there may be several that differ in what is indexed. */
  events: ReadonlyMap<Word, readonly AbiEvent[]>
  /** By selector. */
  errors: ReadonlyMap<Hex, AbiError>
}

const type = z.string().regex(
  // Libraries also take storage pointers and their own types, which no selector can be made of here.
  /^((address|bool|string|function|bytes([1-9]|[12]\d|3[0-2])?|u?int(\d{1,3})?|u?fixed(\d+x\d+)?|tuple)(\[\d*\])*|.*( storage|\w\.\w).*)$/,
  { error: ({ input }) => `expected an ABI type, got ${JSON.stringify(input)}` },
)
const Parameter = z.looseObject({
  name: z.string().optional(),
  type,
  get components(): z.ZodOptional<z.ZodArray<z.ZodType>> {
    return z.array(Parameter as z.ZodType).optional()
  },
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

/** Reads the JSON of an ABI; answers what is wrong with it when it is none. */
export function parseContractAbi(json: string): { abi: ContractAbi } | { problem: string } {
  let given: unknown
  try {
    given = JSON.parse(json)
  } catch (error) {
    return { problem: `is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  if (!Array.isArray(given)) return { problem: 'is not the JSON of an ABI: expected an array of fragments' }
  for (const [index, fragment] of given.entries()) {
    const result = Item.safeParse(fragment)
    if (result.success) continue
    const { path, text } = firstProblem(result.error, fragment)
    return { problem: `fragment ${index}${formatPath(path)}: ${text}` }
  }
  return { abi: contractAbi(given as Abi) }
}

/** Indexes an ABI. Fragments of which no selector can be made are left out: those of libraries with storage pointers. */
export function contractAbi(items: Abi): ContractAbi {
  const functions = new Map<Hex, AbiFunction>()
  const events = new Map<Word, AbiEvent[]>()
  const errors = new Map<Hex, AbiError>()
  let constructorItem: AbiConstructor | undefined
  for (const item of items) {
    if (item.type === 'constructor') constructorItem = item
    if (item.type !== 'function' && item.type !== 'event' && item.type !== 'error') continue
    if (!item.inputs.every(({ type }) => /^[a-z\d[\]]+$/.test(type))) continue
    const topic = signatureHash(signatureOf(item))
    const selector = topic.slice(0, 10) as Hex
    if (item.type === 'function') functions.set(selector, item)
    else if (item.type === 'error') errors.set(selector, item)
    else if (!item.anonymous) {
      events.set(topic, [...(events.get(topic) ?? []), item])
    }
  }
  return { items, constructorItem, functions, events, errors }
}

/** Hashes of signatures that are kept: the contracts of a project share most of theirs. */
const hashLimit = 50_000
const hashes = new Map<string, Word>()

function signatureHash(signature: string): Word {
  const known = hashes.get(signature)
  if (known) return known
  if (hashes.size >= hashLimit) hashes.clear()
  const hash = keccak(Buffer.from(signature))
  hashes.set(signature, hash)
  return hash
}

/** What tokens have in common: events can be read with it of contracts that nothing is known of. */
export const tokenAbi = contractAbi([...erc20Abi, ...erc721Abi, ...erc1155Abi] as Abi)

export function signatureOf(item: AbiFunction | AbiEvent | AbiError): string {
  // Of errors viem leaves the keyword in.
  return toFunctionSignature({ ...item, type: 'function' } as AbiFunction)
}
