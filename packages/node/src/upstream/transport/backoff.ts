const firstMs = 250
const longestMs = 5_000

/** The delay after the nth failure in a row: doubles from 250 ms to 5 s, with random jitter of up to a half. */
export function backoffMs(failures: number, random: () => number): number {
  const whole = Math.min(longestMs, firstMs * 2 ** (failures - 1))
  return Math.round(whole * (0.5 + random() / 2))
}

const firstAgainMs = 25
const longestAgainMs = 2_000

/** The delay until a call that failed for the nth time is sent again: doubles from 25 ms to 2 s, with jitter of up to a half. */
export function againMs(failures: number, random: () => number): number {
  const whole = Math.min(longestAgainMs, firstAgainMs * 2 ** (failures - 1))
  return Math.round(whole * (0.5 + random() / 2))
}
