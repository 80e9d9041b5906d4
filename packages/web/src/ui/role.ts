import { createContext, useContext } from 'react'

/** What the API key of this page may do, in ascending order. */
const roles = ['read', 'write', 'admin'] as const
export type Role = (typeof roles)[number]

const Held = createContext<Role>('admin')

export const RoleProvider = Held.Provider

/** Whether the API key may do what needs a role. */
export function useMay(needed: Role | undefined): boolean {
  const held = useContext(Held)
  return needed === undefined || roles.indexOf(held) >= roles.indexOf(needed)
}
