import type { FaultProxy } from '@understudy/testkit'

/** How long a task took, and how many HTTP requests reached the live chain during it. */
export type Measured = { ms: number; requests: number }
/** Methods that follow the head: they run during every measurement. */
const polls = new Set(['eth_getBlockByNumber', 'eth_blockNumber'])

/** Runs `task` and counts the HTTP requests that reach the live chain during this time, without single polls of its head. */
export async function measure(proxy: FaultProxy, task: () => Promise<unknown>): Promise<Measured> {
  proxy.resetStats()
  const start = performance.now()
  await task()
  const ms = performance.now() - start
  const { requests, batches, byMethod } = proxy.stats()
  const single = requests - batches
  const polled = [...polls].reduce((sum, method) => sum + (byMethod[method] ?? 0), 0)
  return { ms, requests: requests - Math.min(single, polled) }
}

/** Waits until the live chain, behind a proxy with a delay, has received only polls for a while. */
export async function untilQuiet(proxy: FaultProxy, delayMs: number): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    proxy.resetStats()
    await new Promise((resolve) => setTimeout(resolve, 2 * delayMs + 50))
    const isQuiet = Object.keys(proxy.stats().byMethod).every((method) => polls.has(method))
    quiet = isQuiet ? quiet + 1 : 0
  }
}
