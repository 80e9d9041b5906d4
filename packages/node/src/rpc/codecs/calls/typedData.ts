import { hashTypedData } from 'viem'
import { z } from 'zod'
import { describeValue } from '../../../shared/codec.ts'
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

/** EIP-712 data as an object or as JSON. Rejects data that cannot be hashed, with the reason. */
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
  .check(({ value, issues }) => {
    try {
      hashTypedData(value as Parameters<typeof hashTypedData>[0])
    } catch (error) {
      const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
      issues.push({ code: 'custom', input: value, message: `cannot be hashed as EIP-712 data: ${reason}` })
    }
  })
  .meta({
    title: 'TypedData',
    description: 'EIP-712 data, an object with types, primaryType, domain and message, or the JSON of one',
  })
