import type { z } from 'zod'

/** A trailing parameter or field that may be omitted or `null`. */
export function optional<Value, Wire>(
  schema: z.ZodType<Value, Wire>,
): z.ZodType<Value | undefined, Wire | null | undefined> {
  return schema.nullish().transform((value) => value ?? undefined)
}

/** Like `optional`, with a default value. */
export function withDefault<Value, Wire>(
  schema: z.ZodType<Value, Wire>,
  value: Value,
): z.ZodType<Value, Wire | null | undefined> {
  return schema.nullish().transform((given) => given ?? value)
}
