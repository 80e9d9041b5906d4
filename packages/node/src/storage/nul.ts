/**
 * PostgreSQL's text cannot contain NUL, and SQLite's driver truncates text there; names, sources and contract output
 * may contain it. The database has this code point instead, which is never assigned.
 */
const standsForNul = '\uffff'

/** Encodes a string for storage; returns other values unchanged. */
export function withoutNul<T>(value: T): T | string {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', standsForNul) : value
}

/** Decodes a stored string; returns other values unchanged. */
export function withNul<T>(value: T): T | string {
  return typeof value === 'string' && value.includes(standsForNul) ? value.replaceAll(standsForNul, '\0') : value
}
