/** Keys of a network under attack, by role. */
export const keys = { read: 'reader-5ecret-00001', write: 'writer-5ecret-00002', admin: 'keeper-5ecret-00003' } as const

export type Role = keyof typeof keys

export const roles = Object.keys(keys) as Role[]

/** A text that only keys contain. */
export const secretPart = '5ecret'

export const keyFlags = roles.flatMap((role) => ['--api-key', `${keys[role]}:${role}`])
