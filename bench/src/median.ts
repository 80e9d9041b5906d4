/** The median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] as number
}

/** A duration for people. */
export function formatDuration(microseconds: number): string {
  if (microseconds < 1000) return `${microseconds.toFixed(1)} µs`
  if (microseconds < 1_000_000) return `${(microseconds / 1000).toFixed(2)} ms`
  return `${(microseconds / 1_000_000).toFixed(2)} s`
}
