import type { z } from 'zod'
import { firstProblem, formatPath } from '../../shared/codec.ts'

/** For tests: the problem with an input, after its path. Throws if the input is valid. */
export function problem(schema: z.ZodType, input: unknown): string {
  const result = schema.safeParse(input)
  if (result.success) throw new Error(`the input is valid: ${String(result.data)}`)
  const { path, text } = firstProblem(result.error, input)
  return `${formatPath(path)}: ${text}`
}
