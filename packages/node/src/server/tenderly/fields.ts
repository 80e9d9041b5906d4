import type { z } from 'zod'
import { firstProblem, formatPath } from '../../shared/codec.ts'
import { NetworkError } from '../../shared/errors.ts'

/** Decodes a body, or a part of it. Throws `INVALID_PARAMS` with the name of the field. */
export function decodeFields<Schema extends z.ZodType>(schema: Schema, given: unknown, field = ''): z.output<Schema> {
  const decoded = schema.safeParse(given)
  if (decoded.success) return decoded.data
  const { path, text } = firstProblem(decoded.error, given)
  throw new NetworkError('INVALID_PARAMS', {
    field: `${field}${formatPath(path)}`.replace(/^\./, '') || 'body',
    problem: text,
  })
}

/** A query parameter that may come several times, as `name` or `name[]`. */
export function listFrom(query: Readonly<Record<string, string | string[] | undefined>>, name: string): string[] {
  return [name, `${name}[]`, `${name}[][]`].flatMap((key) => query[key] ?? [])
}

/** A query parameter of which the first value counts. */
export function textFrom(
  query: Readonly<Record<string, string | string[] | undefined>>,
  name: string,
): string | undefined {
  return listFrom(query, name)[0]
}

const pageLimit = 100

/** The page that a query asks for, from 1 on. Throws `INVALID_PARAMS`. */
export function pageFrom(query: Readonly<Record<string, string | string[] | undefined>>): {
  page: number
  perPage: number
} {
  return {
    page: wholeNumberFrom(textFrom(query, 'page'), 'page', 1, 1_000_000),
    perPage: wholeNumberFrom(textFrom(query, 'perPage') ?? textFrom(query, 'per_page'), 'perPage', 20, pageLimit),
  }
}

function wholeNumberFrom(text: string | undefined, field: string, fallback: number, most: number): number {
  if (text === undefined || text === '') return fallback
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= most) return value
  throw new NetworkError('INVALID_PARAMS', { field, problem: `expected a whole number from 1 to ${most}` })
}
