import type { z } from 'zod'
import { firstProblem, formatPath } from '../../shared/codec.ts'

/** For tests: what is wrong with an input, after its path. Throws when nothing is. */
export function problem(schema: z.ZodType, input: unknown): string {
  const result = schema.safeParse(input)
  if (result.success) throw new Error(`nothing was wrong: ${String(result.data)}`)
  const { path, text } = firstProblem(result.error, input)
  return `${formatPath(path)}: ${text}`
}
