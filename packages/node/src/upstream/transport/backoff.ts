const firstMs = 250
const longestMs = 5_000

/** How long to wait after the nth failure in a row: doubling from 250 ms to 5 s, of which a random half is left out. */
export function backoffMs(failures: number, random: () => number): number {
  const whole = Math.min(longestMs, firstMs * 2 ** (failures - 1))
  return Math.round(whole * (0.5 + random() / 2))
}
