import type { Role } from '../shared/role.ts'

/** What was done with a key since the start. */
export type KeyUsage = {
  /** The first digits of the key's SHA-256: enough to tell keys apart, nothing to use. */
  id: string
  role: Role
  requests: number
  /** Requests that were answered with an error. */
  errors: number
  /** Milliseconds since 1970; `undefined` when it was not used yet. */
  lastUsedAt: number | undefined
}

/** The keys that let callers in, counted. */
export type ApiKeys = {
  usage(): KeyUsage[]
  /** Counts a request. */
  count(id: string | undefined, failed: boolean): void
}
