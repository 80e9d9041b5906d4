import type { NetworkError } from '../../shared/errors.ts'

/** The JSON-RPC error object as JSON. `data` is the error's data (such as return data), or its kind and details. */
export function encodeError({ code, message, kind, details, data }: NetworkError): string {
  return JSON.stringify({ code, message, data: data ?? { kind, ...details } }, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}
