import type { Hex } from '@understudy/evm'
import type { z } from 'zod'
import { codec, firstProblem, formatPath } from '../../shared/codec.ts'
import { NetworkError } from '../../shared/errors.ts'
import { quantity } from '../../shared/hex.ts'

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
export function pageFrom(
  query: Readonly<Record<string, string | string[] | undefined>>,
  perPage = 20,
): { page: number; perPage: number } {
  return {
    page: wholeNumberFrom(textFrom(query, 'page'), 'page', 1, 1_000_000),
    perPage: wholeNumberFrom(textFrom(query, 'perPage') ?? textFrom(query, 'per_page'), 'perPage', perPage, pageLimit),
  }
}

function wholeNumberFrom(text: string | undefined, field: string, fallback: number, most: number): number {
  if (text === undefined || text === '') return fallback
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= most) return value
  throw new NetworkError('INVALID_PARAMS', { field, problem: `expected a whole number from 1 to ${most}` })
}

/** A number as clients send it: as JSON, as 0x-hex, or as decimal digits. */
function numberFrom(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined
  return typeof value === 'string' && /^(?:0x[\da-f]{1,16}|\d{1,16})$/i.test(value) ? BigInt(value) : undefined
}

/** The block that a vnet begins at. */
export const VnetBlock = codec<unknown, Hex | 'latest'>('the number of a block, or latest', (value) => {
  if (value === 'latest' || value === '') return 'latest'
  const number = numberFrom(value)
  return number === undefined ? undefined : quantity(number)
})

export const VnetChainId = codec<unknown, bigint>('the id of a chain, as a number or as text', (value) => {
  const id = numberFrom(value)
  return id === undefined || id === 0n ? undefined : id
})
