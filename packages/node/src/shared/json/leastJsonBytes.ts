/**
 * A lower bound for the length of a value's JSON: ignores escapes and multi-byte characters. Stops counting at
 * `enough`.
 */
export function leastJsonBytes(value: unknown, enough: number): number {
  switch (typeof value) {
    case 'string':
      return value.length + 2
    case 'object': {
      if (value === null) return 4
      let bytes = 1
      if (Array.isArray(value)) {
        for (const item of value) {
          bytes += 1 + leastJsonBytes(item, enough - bytes)
          if (bytes >= enough) break
        }
        return Math.max(2, bytes)
      }
      for (const key in value) {
        const field = (value as Record<string, unknown>)[key]
        if (field === undefined) continue
        bytes += key.length + 4 + leastJsonBytes(field, enough - bytes)
        if (bytes >= enough) break
      }
      return Math.max(2, bytes)
    }
    default:
      return 1
  }
}
