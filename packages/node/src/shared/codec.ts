import { z } from 'zod'
import { unknownName } from './json/nearest.ts'

/** The documentation of a schema, for the docs and JSON Schema. */
export type CodecMeta = {
  title?: string
  type?: string | string[]
  pattern?: string
  /** The type that callers in TypeScript pass, where an option of the network has this schema. */
  optionType?: string
  /** Default: `expected`. */
  description?: string
}

/**
 * A schema from one function: `decode` returns the value, or `undefined` for invalid input. `expected` completes the
 * message "expected …, got …".
 */
export function codec<Wire, Value extends NonNullable<unknown>>(
  expected: string,
  decode: (input: unknown) => Value | undefined,
  meta?: CodecMeta,
): z.ZodType<Value, Wire> {
  const schema = z.unknown().transform((input, context): Value => {
    const value = decode(input)
    if (value !== undefined) return value
    context.issues.push({ code: 'custom', input, message: `expected ${expected}, got ${describeValue(input)}` })
    return z.NEVER
  })
  const named = (meta ? schema.meta({ description: expected, ...meta }) : schema) as unknown as z.ZodType<Value, Wire>
  return withQuickDecoder(named, (input) => decode(input) ?? notQuick)
}

/** What a quick decoder answers for an input that it leaves to the schema. */
export const notQuick = Symbol('notQuick')

/** Decodes common inputs as the schema does, without it; all others, and wrong ones, are `notQuick`. */
export type QuickDecoder<Value> = (input: unknown) => Value | typeof notQuick

const quickDecoders = new WeakMap<z.ZodType, QuickDecoder<unknown>>()

/** The same schema, with a quick decoder. */
export function withQuickDecoder<Value, Wire>(
  schema: z.ZodType<Value, Wire>,
  decode: QuickDecoder<Value>,
): z.ZodType<Value, Wire> {
  quickDecoders.set(schema, decode)
  return schema
}

/** The quick decoder of a schema; one that leaves everything to the schema where there is none. */
export function quickDecoderOf<Value>(schema: z.ZodType<Value>): QuickDecoder<Value> {
  const decode = quickDecoders.get(schema) as QuickDecoder<Value> | undefined
  if (decode) return decode
  if (schema instanceof z.ZodBoolean) return (input) => (typeof input === 'boolean' ? (input as Value) : notQuick)
  return () => notQuick
}

// Of all schemas: only the schema of the object knows the names that were expected.
z.config({
  customError(issue) {
    if (issue.code !== 'unrecognized_keys') return undefined
    const shape = (issue.inst as z.core.$ZodObject | undefined)?._zod.def.shape ?? {}
    return unknownField(issue.keys[0] ?? '', shape)
  },
})

/** What is said of a field that an object of these fields does not have. */
export const unknownField = (name: string, fields: object): string => unknownName('field', name, Object.keys(fields))

/** Longest name of a field that a message shows. */
const nameLimit = 100

export type Problem = { path: PropertyKey[]; text: string }

/** The first problem with an input, and its path. */
export function firstProblem(error: z.ZodError, input: unknown): Problem {
  const [issue] = error.issues
  if (!issue) return { path: [], text: 'is not valid' }
  const got = describeValue(valueAt(input, issue.path))
  switch (issue.code) {
    case 'invalid_type':
      return { path: issue.path, text: `expected ${withArticle(issue.expected)}, got ${got}` }
    case 'unrecognized_keys':
      return { path: [...issue.path, (issue.keys[0] ?? '').slice(0, nameLimit)], text: issue.message }
    case 'invalid_key':
      return { path: issue.path, text: issue.issues[0]?.message ?? issue.message }
    case 'invalid_union': {
      // The form that was meant is the one of which the smallest part is wrong.
      const depthOf = ([first]: readonly z.core.$ZodIssue[]) =>
        (first?.path.length ?? 0) + (first?.code === 'unrecognized_keys' ? 1 : 0)
      const [meant = []] = [...issue.errors].sort((a, b) => depthOf(b) - depthOf(a))
      if (depthOf(meant) === 0) return { path: issue.path, text: issue.message }
      const { path, text } = firstProblem(new z.ZodError(meant), valueAt(input, issue.path))
      return { path: [...issue.path, ...path], text }
    }
    default:
      return { path: issue.path, text: issue.message }
  }
}

/** A path in JavaScript syntax: `.to`, `[0]`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
}

/** A short form of a value, for messages. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string')
    return value.length <= 80
      ? JSON.stringify(value)
      : `${JSON.stringify(value.slice(0, 40))}… (${value.length} characters)`
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value === null || value === undefined ? undefined : (value as Record<PropertyKey, unknown>)[key]),
    input,
  )
}

function withArticle(zodType: string): string {
  const noun = zodType === 'record' ? 'object' : zodType
  return /^[aeio]/.test(noun) ? `an ${noun}` : `a ${noun}`
}
