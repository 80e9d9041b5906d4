import { z } from 'zod'
import type { Method } from './defineMethod.ts'
import { describeParams } from './describeMethod.ts'

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
