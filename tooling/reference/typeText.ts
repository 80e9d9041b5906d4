import { z } from 'zod'

/** What JSON Schema says of a type, as far as it is shown. */
export type Schema = {
  title?: string
  description?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  prefixItems?: Schema[]
}

/** Of what is sent, or of what is answered. */
export type Io = 'input' | 'output'

/** The name of a type by its title; types without a name are written out. */
type NameOf = (title: string) => string | undefined

export function schemaOf(schema: z.core.$ZodType, io: Io): Schema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Schema
}

/** A type in TypeScript. */
export function typeText(schema: Schema, nameOf: NameOf): string {
  const named = schema.title === undefined ? undefined : nameOf(schema.title)
  return named ?? structureText(schema, nameOf)
}

/** A type in TypeScript, itself without a name. */
export function structureText(schema: Schema, nameOf: NameOf): string {
  const text = (part: Schema) => typeText(part, nameOf)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return union(alternatives.map(text))
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return union(schema.enum.map(literal))
  const types = [schema.type ?? []].flat()
  return types.length === 0 ? 'unknown' : union(types.flatMap((type) => ofType(type, schema, types.length > 1, text)))
}

/** The types of which another one is made. */
export function partsOf({ anyOf, oneOf, properties = {}, additionalProperties, items, prefixItems }: Schema): Schema[] {
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [
    ...(anyOf ?? []),
    ...(oneOf ?? []),
    ...Object.values(properties),
    ...others,
    ...(items ? [items] : []),
    ...(prefixItems ?? []),
  ]
}

type TextOf = (schema: Schema) => string

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

/** Whole numbers that may be given as text may be bigints too. */
function ofType(type: string, schema: Schema, isMixed: boolean, text: TextOf): string[] {
  if (type === 'integer' && isMixed) return ['number', 'bigint']
  if (type === 'integer') return ['number']
  if (type === 'object') return [objectText(schema, text)]
  if (type === 'array') return [arrayText(schema, text)]
  return [type]
}

function arrayText({ items, prefixItems }: Schema, text: TextOf): string {
  if (prefixItems) return `[${prefixItems.map(text).join(', ')}]`
  const element = items ? text(items) : 'unknown'
  return element.includes(' | ') ? `(${element})[]` : `${element}[]`
}

function objectText({ properties, required = [], additionalProperties }: Schema, text: TextOf): string {
  if (!properties)
    return `Record<string, ${typeof additionalProperties === 'object' ? text(additionalProperties) : 'unknown'}>`
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${text(field)}`,
  )
  return fields.length === 0 ? 'Record<string, never>' : `{ ${fields.join('; ')} }`
}
