type Listener<Payload> = (payload: Payload) => void

/** Typed events. Listeners run synchronously, in the order of subscription; what they throw goes to `onError`. */
export type Events<Payloads extends Record<string, unknown>> = {
  /** Returns a function that ends the subscription. */
  on<Name extends keyof Payloads>(name: Name, listener: Listener<Payloads[Name]>): () => void
  emit<Name extends keyof Payloads>(name: Name, payload: Payloads[Name]): void
  /** Whether there are listeners: skip expensive events if there are none. */
  isHeard(name: keyof Payloads): boolean
}

export function createEvents<Payloads extends Record<string, unknown>>(
  onError: (error: unknown) => void,
): Events<Payloads> {
  const listeners = new Map<keyof Payloads, Set<Listener<never>>>()
  return {
    on(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(listener as Listener<never>))
      return () => set.delete(listener as Listener<never>)
    },
    emit(name, payload) {
      for (const listener of listeners.get(name) ?? []) {
        try {
          ;(listener as Listener<typeof payload>)(payload)
        } catch (error) {
          onError(error)
        }
      }
    },
    isHeard: (name) => (listeners.get(name)?.size ?? 0) > 0,
  }
}
