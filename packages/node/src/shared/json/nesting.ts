/** Maximum nesting depth of client input, so that recursive code does not overflow the stack. */
export const nestingLimit = 256

/** Whether a JSON value is nested deeper than `limit`. */
export function isNestedDeeper(value: unknown, limit = nestingLimit): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  for (const key in value) if (isNestedDeeper(value[key as never], limit - 1)) return true
  return false
}
