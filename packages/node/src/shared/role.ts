/** What a caller may do, in ascending order: read, send and sign transactions, change the network. */
export const roles = ['read', 'write', 'admin'] as const

export type Role = (typeof roles)[number]

/** Whether the role `held` includes the role `needed`. */
export function mayDo(held: Role, needed: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(needed)
}
