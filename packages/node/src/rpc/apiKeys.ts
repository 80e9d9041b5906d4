import type { Role } from '../shared/role.ts'

/** Usage of a key since the start. */
export type KeyUsage = {
  /** The first digits of the key's SHA-256: enough to identify a key, useless to authenticate. */
  id: string
  role: Role
  requests: number
  /** Requests that failed. */
  errors: number
  /** Milliseconds since 1970; `undefined` if the key was not used yet. */
  lastUsedAt: number | undefined
}

/** The configured API keys and their usage counts. */
export type ApiKeys = {
  usage(): KeyUsage[]
  /** Counts a request. */
  count(id: string | undefined, failed: boolean): void
}
