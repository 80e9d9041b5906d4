/** Seconds since 1970, as blocks have them, in milliseconds. */
export const millisFrom = (seconds: bigint): number => Number(seconds) * 1000

/** The age in one unit: `12s`, `3m`, `5h`, `2d`. */
export function formatAge(timestampMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - timestampMs) / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`
  return `${Math.floor(seconds / 86_400)}d`
}

/** When something was, or will be: `12s ago`, `in 3m`. */
export function formatWhen(timestampMs: number, nowMs: number): string {
  return timestampMs - nowMs >= 1000 ? `in ${formatAge(nowMs, timestampMs)}` : `${formatAge(timestampMs, nowMs)} ago`
}

/** A duration in its two largest units: 90 seconds are `1 min 30 s`. */
export function formatSpan(ms: number): string {
  const units: [number, string][] = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
  ]
  const parts: string[] = []
  let left = ms
  for (const [size, unit] of units) {
    const count = Math.floor(left / size)
    if (count > 0 && parts.length < 2) parts.push(`${count} ${unit}`)
    left -= count * size
  }
  return parts.length > 0 ? parts.join(' ') : `${ms} ms`
}

/** A duration as entered (`30m`, `12 h`, `90` for seconds), in milliseconds. Throws on anything else. */
export function parseSpan(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|min|h|d)?$/.exec(text.trim())
  if (!match) throw new Error(`${JSON.stringify(text)} is not a duration. Enter 30s, 10m, 12h or 1d`)
  const sizes = { ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000, d: 86_400_000 }
  return Math.round(Number(match[1]) * sizes[(match[2] ?? 's') as keyof typeof sizes])
}

export function formatDateTime(timestampMs: number): string {
  return new Date(timestampMs).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })
}
