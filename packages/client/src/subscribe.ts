import type { Client } from 'viem'
import type { Topics } from './generated/methods.ts'

export type Listeners<Topic extends keyof Topics> = {
  onData(data: Topics[Topic]['result']): void
  /** Called when the connection fails. viem reconnects and subscribes again. */
  onError?(error: unknown): void
}

type SubscribingTransport = {
  subscribe?(request: {
    params: unknown[]
    onData(message: { result: unknown }): void
    onError?(error: unknown): void
  }): Promise<{ unsubscribe(): Promise<unknown> }>
}

/**
 * Subscribes to a topic, over a WebSocket client. Resolves to a function that ends the subscription.
 * Throws `TypeError` for a client of another transport.
 */
export async function subscribe<Topic extends keyof Topics>(
  client: Pick<Client, 'transport'>,
  topic: Topic,
  { onData, onError }: Listeners<Topic>,
  options?: Topics[Topic]['options'],
): Promise<() => Promise<void>> {
  const transport = client.transport as SubscribingTransport
  if (!transport.subscribe)
    throw new TypeError(`Subscribing to ${topic} needs a WebSocket: make the client with a ws:// or wss:// URL`)
  const { unsubscribe } = await transport.subscribe({
    params: options === undefined || options === null ? [topic] : [topic, options],
    onData: ({ result }) => onData(result as Topics[Topic]['result']),
    onError,
  })
  return async () => {
    await unsubscribe()
  }
}
