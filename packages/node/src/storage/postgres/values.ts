import type { CustomTypesConfig } from 'pg'
import pg from 'pg'

/** PostgreSQL's text has no NUL, which names and sources may have. This stands for it: no character ever has that number. */
const standsForNul = '\uffff'

/** A bound value as the driver takes it. */
export function parameterOf(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', standsForNul) : value
}

const textOf = (text: string) => (text.includes(standsForNul) ? text.replaceAll(standsForNul, '\0') : text)

const { builtins } = pg.types
const parsers = new Map<number, (text: string) => unknown>([
  // Counts, times, gas and block numbers: all of them are below 2^53.
  [builtins.INT8, Number],
  [builtins.NUMERIC, Number],
  [builtins.TEXT, textOf],
  [builtins.VARCHAR, textOf],
])

/** How columns are read: as SQLite's driver gives them. */
export const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
}
