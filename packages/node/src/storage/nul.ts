/**
 * PostgreSQL's text has no NUL, and SQLite's driver ends a text there; names, sources and what contracts answer may have one.
 * This stands for it in the database: no character ever has that number.
 */
const standsForNul = '\uffff'

/** A text as it is stored; other values as they are. */
export function withoutNul<T>(value: T): T | string {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', standsForNul) : value
}

/** A stored text as it was; other values as they are. */
export function withNul<T>(value: T): T | string {
  return typeof value === 'string' && value.includes(standsForNul) ? value.replaceAll(standsForNul, '\0') : value
}
