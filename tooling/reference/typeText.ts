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

export type Field = { name: string; isRequired: boolean; type: string; schema: Schema }

/** How the fields of an object are written. */
type Layout = (fields: readonly Field[]) => string

const onOneLine: Layout = (fields) =>
  `{ ${fields.map(({ name, isRequired, type }) => `${name}${isRequired ? '' : '?'}: ${type}`).join('; ')} }`

export function schemaOf(schema: z.core.$ZodType, io: Io): Schema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Schema
}

/** A type in TypeScript. */
export function typeText(schema: Schema, nameOf: NameOf, layout: Layout = onOneLine): string {
  const named = schema.title === undefined ? undefined : nameOf(schema.title)
  return named ?? structureText(schema, nameOf, layout)
}

/** A type in TypeScript, itself without a name. */
export function structureText(schema: Schema, nameOf: NameOf, layout: Layout = onOneLine): string {
  const text = (part: Schema) => typeText(part, nameOf, layout)
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return union(alternatives.map(text))
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return union(schema.enum.map(literal))
  const types = [schema.type ?? []].flat()
  return types.length === 0
    ? 'unknown'
    : union(types.flatMap((type) => ofType(type, schema, types.length > 1, { text, layout })))
}

/** Names types by their titles. */
export const byTitle: NameOf = (title) => title

/** The text of the type of what may be left out: as `null`, too. */
export const withoutNull = (type: string): string => type.replace(/ \| null$/, '')

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

type Writer = { text(schema: Schema): string; layout: Layout }

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ')
}

/** Whole numbers that may be given as text may be bigints too. */
function ofType(type: string, schema: Schema, isMixed: boolean, writer: Writer): string[] {
  if (type === 'integer' && isMixed) return ['number', 'bigint']
  if (type === 'integer') return ['number']
  if (type === 'object') return [objectText(schema, writer)]
  if (type === 'array') return [arrayText(schema, writer)]
  return [type]
}

function arrayText({ items, prefixItems }: Schema, { text }: Writer): string {
  if (prefixItems) return `[${prefixItems.map(text).join(', ')}]`
  const element = items ? text(items) : 'unknown'
  return isUnion(element) ? `(${element})[]` : `${element}[]`
}

/** Whether a type is a union itself, and not only a part of it. */
function isUnion(type: string): boolean {
  let inner = type
  for (let outer = ''; outer !== inner; ) {
    outer = inner
    inner = outer.replace(/\{[^{}]*\}|\[[^[\]]*\]|<[^<>]*>|\([^()]*\)/g, '')
  }
  return inner.includes(' | ')
}

function objectText({ properties, required = [], additionalProperties }: Schema, { text, layout }: Writer): string {
  if (!properties)
    return `Record<string, ${typeof additionalProperties === 'object' ? text(additionalProperties) : 'unknown'}>`
  const fields = Object.entries(properties).map(
    ([name, schema]): Field => ({ name, isRequired: required.includes(name), type: text(schema), schema }),
  )
  return fields.length === 0 ? 'Record<string, never>' : layout(fields)
}
