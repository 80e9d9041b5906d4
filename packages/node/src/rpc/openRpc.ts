import { z } from 'zod'
import { commonFields } from './commonFields.ts'
import type { Method } from './defineMethod.ts'

export type ParamDescription = { name: string; isOptional: boolean; fallback: unknown; description: string | undefined }

/** The reference text for the parameters of a method. */
export function describeParams(method: Method): ParamDescription[] {
  return Object.entries(method.params).map(([name, schema]) => {
    const absent = schema.safeParse(undefined)
    return { name, isOptional: absent.success, fallback: absent.data, description: meaningOf(method, name) }
  })
}

/** What a parameter of a method means, or a field of its last one. */
export function meaningOf({ name: method, fields }: Method, name: string): string | undefined {
  return fields?.[name] ?? (/^(dev|mock|tenderly|alchemy)_/.test(method) ? commonFields[name] : undefined)
}

/** A method in OpenRPC, once for each of its names. */
export function openRpcMethod(method: Method): Record<string, unknown>[] {
  const { name, aliases, aliasResults, summary, params, result, example } = method
  const described = describeParams(method)
  const description = {
    summary,
    'x-role': method.role,
    paramStructure: 'either',
    params: Object.values(params).map((schema, index) => ({
      name: described[index]?.name,
      ...(described[index]?.description !== undefined && { description: described[index].description }),
      required: !described[index]?.isOptional,
      schema: jsonSchema(schema, 'input'),
    })),
    result: { name: 'result', schema: jsonSchema(result, 'output') },
    examples: [
      {
        name: 'example',
        params: example.params.map((value, index) => ({ name: described[index]?.name, value })),
        result: { name: 'result', value: example.result },
      },
    ],
  }
  return [name, ...aliases].map((each) => {
    const value = aliasResults?.[each]
    if (value === undefined) return { name: each, ...description }
    const examples = description.examples.map((shown) => ({ ...shown, result: { ...shown.result, value } }))
    return { name: each, ...description, result: { name: 'result', schema: { const: value } }, examples }
  })
}

/** Types without a JSON Schema equivalent accept any value. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): unknown {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
