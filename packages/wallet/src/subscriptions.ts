import { hostOf } from './network.ts'
import { ProviderRpcError } from './providerRpcError.ts'

/** What a `message` event carries (EIP-1193). */
export type SubscriptionMessage = { type: 'eth_subscription'; data: { subscription: string; result: unknown } }

type Listeners = {
  onMessage(message: SubscriptionMessage): void
  /** Called when a connection with subscriptions was lost: they have ended. */
  onLost(error: ProviderRpcError): void
}

type Connection = {
  /** The ids of its subscriptions. */
  ids: Set<string>
  call(method: string, params: readonly unknown[]): Promise<unknown>
  close(): void
}

/** The subscriptions of a page. Each network has one WebSocket while there are any. */
export function createSubscriptions(listeners: Listeners) {
  const connections = new Map<string, Promise<Connection>>()

  function connectionTo(url: string): Promise<Connection> {
    const open = connections.get(url)
    if (open) return open
    const opening = connect(url, { ...listeners, onClosed: () => connections.delete(url) })
    connections.set(url, opening)
    return opening
  }

  return {
    /** Returns the id. Throws `ProviderRpcError`. */
    async subscribe(url: string, params: readonly unknown[]): Promise<string> {
      const connection = await connectionTo(url)
      try {
        const id = String(await connection.call('eth_subscribe', params))
        connection.ids.add(id)
        return id
      } finally {
        if (connection.ids.size === 0) connection.close()
      }
    },
    /** False if there is no such subscription. */
    async unsubscribe(id: unknown): Promise<boolean> {
      for (const connection of await Promise.all(connections.values())) {
        if (!connection.ids.delete(String(id))) continue
        const isEnded = await connection.call('eth_unsubscribe', [id])
        if (connection.ids.size === 0) connection.close()
        return isEnded === true
      }
      return false
    },
  }
}

function connect(url: string, { onMessage, onLost, onClosed }: Listeners & { onClosed(): void }): Promise<Connection> {
  const lost = new ProviderRpcError(4900, `The network at ${hostOf(url)} does not answer over WebSocket`)
  if (typeof WebSocket === 'undefined')
    return Promise.reject(new ProviderRpcError(4200, 'Subscriptions need a WebSocket, which is missing here'))
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace(/^http/, 'ws'))
    const waiting = new Map<number, { resolve(result: unknown): void; reject(error: ProviderRpcError): void }>()
    const ids = new Set<string>()
    let nextId = 1
    const connection: Connection = {
      ids,
      call: (method, params) =>
        new Promise((resolve, reject) => {
          if (socket.readyState !== WebSocket.OPEN) return reject(lost)
          waiting.set(nextId, { resolve, reject })
          socket.send(JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params }))
        }),
      close() {
        onClosed()
        socket.close()
      },
    }
    socket.onopen = () => resolve(connection)
    socket.onmessage = ({ data }) => {
      const { id, method, params, result, error } = JSON.parse(String(data))
      if (method === 'eth_subscription') return onMessage({ type: 'eth_subscription', data: params })
      const call = waiting.get(id)
      waiting.delete(id)
      if (error) call?.reject(new ProviderRpcError(error.code, error.message, error.data))
      else call?.resolve(result)
    }
    // It is closed then, too.
    socket.onerror = () => {}
    socket.onclose = () => {
      onClosed()
      reject(lost)
      for (const call of waiting.values()) call.reject(lost)
      if (ids.size > 0) onLost(lost)
      ids.clear()
    }
  })
}
