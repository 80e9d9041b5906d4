/** Arrays and objects within each other in what a client sends: what goes through it level by level stays within the stack. */
export const nestingLimit = 256

/** Whether arrays and objects are nested deeper in a value of JSON than `limit`. */
export function isNestedDeeper(value: unknown, limit = nestingLimit): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  for (const key in value) if (isNestedDeeper(value[key as never], limit - 1)) return true
  return false
}
