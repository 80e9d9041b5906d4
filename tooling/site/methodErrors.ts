import type { Method } from '../../packages/node/src/rpc/defineMethod.ts'
import { errorTable } from '../../packages/node/src/shared/errors.ts'

export type MethodError = { kind: string; code: number; message: string }

/** The errors of a method: its own, that of a wrong parameter, and that of a role that may not call it. */
export function errorsOf({ params, role, errors = [] }: Method): MethodError[] {
  const kinds: (keyof typeof errorTable)[] = [...errors]
  if (Object.keys(params).length > 0) kinds.push('INVALID_PARAMS')
  if (role !== 'read') kinds.push('UNAUTHORIZED')
  return kinds.map((kind) => ({ kind, ...errorTable[kind] }))
}
