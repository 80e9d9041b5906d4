import type { FromUpstream, Local } from '../../chain/history/origins.ts'

/** Encodes what is the network's own; what is upstream's passes through as it came. */
export function encodeEither<Value>(
  found: Local<Value> | FromUpstream,
  encode: (value: Value) => Record<string, unknown>,
): Record<string, unknown> {
  return found.origin === 'local' ? encode(found.value) : found.value
}

/** As `encodeEither`; `null` when there is nothing. */
export function encodeFound<Value>(
  found: Local<Value> | FromUpstream | undefined,
  encode: (value: Value) => Record<string, unknown>,
): Record<string, unknown> | null {
  return found ? encodeEither(found, encode) : null
}
