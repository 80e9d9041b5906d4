import type { z } from 'zod'
import { quickDecoderOf, withQuickDecoder } from '../../shared/codec.ts'

/** A trailing parameter or field that may be omitted or `null`. */
export function optional<Value, Wire>(
  schema: z.ZodType<Value, Wire>,
): z.ZodType<Value | undefined, Wire | null | undefined> {
  const decode = quickDecoderOf(schema)
  return withQuickDecoder(
    schema.nullish().transform((value) => value ?? undefined),
    (input) => (input === undefined || input === null ? undefined : decode(input)),
  )
}

/** Like `optional`, with a default value. */
export function withDefault<Value, Wire>(
  schema: z.ZodType<Value, Wire>,
  value: Value,
): z.ZodType<Value, Wire | null | undefined> {
  const decode = quickDecoderOf(schema)
  return withQuickDecoder(
    schema.nullish().transform((given) => given ?? value),
    (input) => (input === undefined || input === null ? value : decode(input)),
  )
}
