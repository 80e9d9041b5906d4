import { z } from 'zod'
import type { Method } from './defineMethod.ts'

export type ParamDescription = { name: string; type: string; isOptional: boolean; fallback: unknown }

/** The reference text for the parameters of a method. */
export function describeParams({ params }: Method): ParamDescription[] {
  return Object.entries(params).map(([name, schema]) => {
    const absent = schema.safeParse(undefined)
    return { name, type: typeName(schema).replace(/ or null$/, ''), isOptional: absent.success, fallback: absent.data }
  })
}

/** The named types in parameters and results of methods, with their descriptions. */
export function namedTypes(methods: readonly Method[]): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (schema: z.core.$ZodType) => {
    const { title, description } = z.globalRegistry.get(schema) ?? {}
    if (title) found.set(title, description ?? '')
    for (const part of partsOf(schema)) visit(part)
  }
  for (const { params, result } of methods) for (const schema of [...Object.values(params), result]) visit(schema)
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function partsOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return [schema.unwrap()]
  if (schema instanceof z.ZodPipe) return [schema.in, schema.out]
  if (schema instanceof z.ZodArray) return [schema.element]
  if (schema instanceof z.ZodObject) return Object.values(schema.shape)
  if (schema instanceof z.ZodUnion) return [...schema.options]
  return []
}

/** A short description of a type: its title, or its structure. */
export function typeName(schema: z.core.$ZodType): string {
  const title = z.globalRegistry.get(schema)?.title
  if (title) return title
  if (schema instanceof z.ZodOptional) return typeName(schema.unwrap())
  if (schema instanceof z.ZodNullable) return `${typeName(schema.unwrap())} or null`
  if (schema instanceof z.ZodPipe) return typeName(schema.in)
  if (schema instanceof z.ZodArray) return arrayName(typeName(schema.element))
  if (schema instanceof z.ZodObject) return fields(schema)
  if (schema instanceof z.ZodUnion) return schema.options.map(typeName).join(' or ')
  if (schema instanceof z.ZodEnum) return schema.options.map((value) => JSON.stringify(value)).join(' or ')
  if (schema instanceof z.ZodLiteral) return [...schema.values].map((value) => JSON.stringify(value)).join(' or ')
  return schema._zod.def.type
}

function arrayName(element: string): string {
  return element.includes(' or ') ? `(${element})[]` : `${element}[]`
}

function fields(schema: z.ZodObject): string {
  const parts = Object.entries(schema.shape).map(([name, field]) => `${name}: ${typeName(field)}`)
  return `{ ${parts.join(', ')} }`
}
