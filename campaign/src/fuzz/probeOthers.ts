import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between two requests of the other client. */
const pauseMs = 10

/** A client that reads the newest block continuously, to measure how long others wait. */
export function probeOthers(url: string, key?: string) {
  let worstMs = 0
  let isOver = false
  let asked = Promise.resolve()
  const headers = key === undefined ? undefined : { authorization: `Bearer ${key}` }
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}'

  async function ask(): Promise<void> {
    const startedAt = performance.now()
    const response = await fetch(url, { method: 'POST', body, headers })
    const { result, error } = (await response.json()) as { result?: string; error?: { message: string } }
    if (!result?.startsWith('0x')) throw new Error(`Somebody else was not answered: ${error?.message}`)
    worstMs = Math.max(worstMs, performance.now() - startedAt)
  }

  const loop = (async () => {
    while (!isOver) {
      asked = ask()
      await asked
      await sleep(pauseMs)
    }
  })()
  // Reported by the next call.
  loop.catch(() => {})

  return {
    /** The longest wait since the last look, in milliseconds. Throws when an answer failed to come. */
    async worstMs(): Promise<number> {
      await asked
      const worst = worstMs
      worstMs = 0
      return worst
    },
    async stop(): Promise<void> {
      isOver = true
      await loop
    },
  }
}
