/** Asks the live chain. `undefined` for a network that forks nothing. */
export type AskUpstream = <T>(method: string, params: readonly unknown[]) => Promise<T>

/** A block, a transaction, a receipt or a log as JSON-RPC has it. */
export type Raw = Record<string, unknown>

/** Something that is either the network's own or upstream's, passed through untouched. */
export type Local<T> = { origin: 'local'; value: T }
export type FromUpstream = { origin: 'upstream'; value: Raw }

export const local = <T>(value: T): Local<T> => ({ origin: 'local', value })
export const fromUpstream = (value: Raw): FromUpstream => ({ origin: 'upstream', value })
