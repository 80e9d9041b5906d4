/** What a caller may do, each as much as those before it: read, send and sign transactions, change the network. */
export const roles = ['read', 'write', 'admin'] as const

export type Role = (typeof roles)[number]

/** Whether whoever has the role `held` may do what needs `needed`. */
export function mayDo(held: Role, needed: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(needed)
}
