import { type Role, roles } from '../shared/role.ts'
import { listOf } from './values.ts'

/** An API key and its role. */
export type ApiKey = { key: string; role: Role }

/** Keys that are safe in a URL and long enough not to be guessed. */
const keyAndRole = new RegExp(`^([\\w.~-]{16,200}):(${roles.join('|')})$`)

export const apiKeys = listOf(
  `KEY:ROLE with a key of 16 to 200 letters, digits and ._~- and one of the roles ${roles.join(', ')}`,
  (item): ApiKey | undefined => {
    const match = keyAndRole.exec(item)
    return match ? { key: match[1] as string, role: match[2] as Role } : undefined
  },
)
