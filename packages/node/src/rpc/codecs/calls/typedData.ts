import type { Word } from '@understudy/evm'
import { hashTypedData } from 'viem'
import { z } from 'zod'
import { describeValue } from '../../../shared/codec.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { requireFewValuesIn } from '../../../shared/json/valueLimit.ts'

const Field = z.object({ name: z.string(), type: z.string() })

const TypedDataObject = z.object({
  types: z.record(z.string(), z.array(Field)),
  primaryType: z.string(),
  domain: optionalRecord(),
  message: optionalRecord(),
})

function optionalRecord() {
  return z.record(z.string(), z.unknown()).optional()
}

/** EIP-712 data as an object or as JSON, decoded to its domain and its hash. Rejects data that cannot be hashed, with the reason. */
export const TypedData = z
  .unknown()
  .transform((input, context): unknown => {
    if (typeof input !== 'string') return input
    requireFewValuesIn(input, 'a request')
    try {
      return JSON.parse(input)
    } catch {
      context.issues.push({
        code: 'custom',
        input,
        message: `expected an object or its JSON, got ${describeValue(input)}`,
      })
      return z.NEVER
    }
  })
  .pipe(TypedDataObject)
  .transform((value, { issues }): { domain: Record<string, unknown>; hash: Word } => {
    try {
      requireLittleToHash(value)
      return { domain: value.domain ?? {}, hash: hashTypedData(value as Parameters<typeof hashTypedData>[0]) }
    } catch (error) {
      if (error instanceof NetworkError) throw error
      const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      issues.push({ code: 'custom', input: value, message: `cannot be hashed as EIP-712 data: ${reason}` })
      return z.NEVER
    }
  })
  .meta({
    title: 'TypedData',
    description: 'EIP-712 data, an object with types, primaryType, domain and message, or the JSON of one',
  })

type TypedDataObject = z.infer<typeof TypedDataObject>

/** Characters that are hashed, in up to 0.3 s. Values and hashes count as many as take as long. */
const hashedLimit = 1_000_000
const valueCost = 64
const hashCost = 300

/**
 * Throws `LIMIT_EXCEEDED` if data would take long to hash: for each struct in it, the text of its type is hashed, with the
 * types that this refers to. A small message can have thousands of structs of a type with thousands of fields.
 */
function requireLittleToHash({ types, primaryType, domain, message }: TypedDataObject): void {
  let hashed = 0
  const count = (characters: number) => {
    hashed += characters
    if (hashed > hashedLimit)
      throw new NetworkError('LIMIT_EXCEEDED', {
        what: 'characters to hash for typed data, with the types of all its structs',
        limit: hashedLimit,
      })
  }
  const fieldsOf = (type: string) => (Object.hasOwn(types, type) ? types[type] : undefined)
  const lengths = new Map<string, number>()

  /** How long the text of a type is, with the types that it refers to. */
  function lengthOf(type: string): number {
    const found = new Set([type])
    let length = 0
    for (const name of found) {
      length += name.length
      for (const field of fieldsOf(name) ?? []) {
        length += field.type.length + field.name.length + 2
        const base = /^\w*/.exec(field.type)?.[0] ?? ''
        if (fieldsOf(base)) found.add(base)
      }
    }
    lengths.set(type, length)
    return length
  }

  function walk(type: string, value: unknown): void {
    const fields = fieldsOf(type)
    count(valueCost)
    if (fields) count(hashCost + (lengths.get(type) ?? lengthOf(type)))
    // Those of numbers are parsed in more time than their length.
    if (typeof value === 'string') count(value.length)
    if (type === 'string' || type === 'bytes') count(hashCost)
    // A struct that is missing is refused, unless it has no fields.
    if (typeof value !== 'object' || value === null) return
    if (fields) for (const { name, type } of fields) walk(type, value[name as never])
    else if (Array.isArray(value)) {
      count(hashCost)
      const base = type.slice(0, type.lastIndexOf('['))
      for (const item of value) walk(base, item)
    }
  }

  walk('EIP712Domain', domain)
  walk(primaryType, message)
}
