import { WebSocket } from 'ws'

type Message = {
  id?: unknown
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
  method?: string
  params?: { subscription: string; result: unknown }
}

/** A WebSocket of a test: requests by number, and everything that was notified. */
export type RawSocket = {
  socket: WebSocket
  /** Sends a request; rejects with the error object of its answer. */
  request<T = unknown>(method: string, ...params: unknown[]): Promise<T>
  /** Sends a text and answers what comes next, whatever it is. */
  exchange(text: string): Promise<unknown>
  /** What was notified until now, the oldest first. */
  notified<T = unknown>(subscription: string): T[]
  /** Resolves with the code and the reason of the close. */
  closed: Promise<{ code: number; reason: string }>
  close(): Promise<unknown>
}

/** Connects to a network by its HTTP URL. Rejects with the status of a refusal. */
export async function openSocket(url: string, headers: Record<string, string> = {}): Promise<RawSocket> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers })
  const waiting = new Map<unknown, (message: Message) => void>()
  const notifications: { subscription: string; result: unknown }[] = []
  let next: ((message: unknown) => void) | undefined
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Message
    if (message.params) return notifications.push(message.params)
    const answered = waiting.get(message.id)
    if (answered) answered(message)
    else next?.(message)
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, response) => reject(new Error(`HTTP ${response.statusCode}`)))
    socket.once('error', reject)
  })
  let ids = 0
  return {
    socket,
    request: (method, ...params) =>
      new Promise((resolve, reject) => {
        const id = ++ids
        waiting.set(id, ({ result, error }) => (error ? reject(error) : resolve(result as never)))
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      }),
    exchange: (text) =>
      new Promise((resolve) => {
        next = resolve
        socket.send(text)
      }),
    notified: (subscription) =>
      notifications.filter((entry) => entry.subscription === subscription).map(({ result }) => result as never),
    closed,
    close() {
      socket.close()
      return closed
    },
  }
}
