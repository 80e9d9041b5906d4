/** Returns a delay that doubles with each time in a row, in milliseconds, with random jitter of up to a half. */
const backoff =
  (firstMs: number, longestMs: number) =>
  (times: number, random: () => number): number =>
    Math.round(Math.min(longestMs, firstMs * 2 ** (times - 1)) * (0.5 + random() / 2))

/** The delay after the nth failure in a row until an endpoint is asked whether it is back. */
export const backoffMs = backoff(250, 5_000)

/** The delay after the nth time in a row that an endpoint limited the rate of requests, without saying for how long. */
export const limitMs = backoff(100, 2_000)

/** The delay until a call that failed for the nth time is sent again. */
export const againMs = backoff(25, 2_000)
