import pg, { type Client, type ClientConfig } from 'pg'
import type { Clock, Timer } from '../../shared/clock.ts'

/** How long to wait before reconnecting. Listeners poll in the meantime. */
const retryMs = 1_000

/**
 * Calls `onNotice` for each notification on a channel, and when one may have been missed. Returns a function that ends
 * it.
 */
export async function listen(
  options: ClientConfig,
  channel: string,
  onNotice: () => void,
  clock: Clock,
): Promise<() => Promise<void>> {
  let current: Client | undefined
  let timer: Timer | undefined
  let stopped = false

  async function connect(): Promise<void> {
    const client = new pg.Client(options)
    const lost = () => {
      if (current !== client) return
      current = undefined
      client.end().catch(() => {})
      if (!stopped) timer = clock.after(retryMs, () => void connect())
    }
    current = client
    client.on('error', lost).on('end', lost).on('notification', onNotice)
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      onNotice()
    } catch {
      lost()
    }
  }

  await connect()
  return async () => {
    stopped = true
    timer?.cancel()
    const client = current
    current = undefined
    await client?.end()
  }
}
