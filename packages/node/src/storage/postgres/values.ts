import type { CustomTypesConfig } from 'pg'
import pg from 'pg'
import { withNul, withoutNul } from '../bytes.ts'

/**
 * A bound value in the form that the driver takes. Objects other than blobs are a bug: the driver would store them as
 * JSON.
 */
export function parameterOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array))
    throw new Error('only numbers, texts and blobs are stored')
  return withoutNul(value)
}

const { builtins } = pg.types
const parsers = new Map<number, (text: string) => unknown>([
  // Counts, times, gas and block numbers, all below 2^53.
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.TEXT, withNul],
  [builtins.VARCHAR, withNul],
])

/** Parsers of columns that return the same values as SQLite's driver. */
export const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
}
