import type { RequestOptions } from '../../upstream/transport/requests.ts'

/** Calls the live chain. `undefined` if nothing is forked. */
export type AskUpstream = <T>(
  method: string,
  params: readonly unknown[],
  options?: Pick<RequestOptions, 'retryMs'>,
) => Promise<T>

/** A block, transaction, receipt or log in JSON-RPC's format. */
export type Raw = Record<string, unknown>

/** A value that is either local, or upstream's and passed through unchanged. */
export type Local<T> = { origin: 'local'; value: T }
export type FromUpstream = { origin: 'upstream'; value: Raw }

export const local = <T>(value: T): Local<T> => ({ origin: 'local', value })
export const fromUpstream = (value: Raw): FromUpstream => ({ origin: 'upstream', value })
