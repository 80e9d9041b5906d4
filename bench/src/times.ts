/** The value that a part of the values, 0 to 1, stay below. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * part)] as number
}

/** The median. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The time of each request, one after the other, in microseconds. */
export async function timesOf(count: number, request: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const start = performance.now()
    await request(index)
    times.push((performance.now() - start) * 1000)
  }
  return times
}

/** A duration for people. */
export function formatDuration(microseconds: number): string {
  if (microseconds < 1000) return `${microseconds.toFixed(1)} µs`
  if (microseconds < 1_000_000) return `${(microseconds / 1000).toFixed(2)} ms`
  return `${(microseconds / 1_000_000).toFixed(2)} s`
}
