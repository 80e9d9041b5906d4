import type { z } from 'zod'

/** A trailing parameter or a field that may be left out or `null`. */
export function optional<Value, Wire>(
  schema: z.ZodType<Value, Wire>,
): z.ZodType<Value | undefined, Wire | null | undefined> {
  return schema.nullish().transform((value) => value ?? undefined)
}

/** As `optional`, with a value that stands in for it. */
export function withDefault<Value, Wire>(
  schema: z.ZodType<Value, Wire>,
  value: Value,
): z.ZodType<Value, Wire | null | undefined> {
  return schema.nullish().transform((given) => given ?? value)
}
