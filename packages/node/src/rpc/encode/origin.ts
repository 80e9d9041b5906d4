import type { FromUpstream, Local } from '../../chain/history/origins.ts'

/** Encodes local values; upstream's values pass through unchanged. */
export function encodeEither<Value>(
  found: Local<Value> | FromUpstream,
  encode: (value: Value) => Record<string, unknown>,
): Record<string, unknown> {
  return found.origin === 'local' ? encode(found.value) : found.value
}

/** Like `encodeEither`; `null` if there is no value. */
export function encodeFound<Value>(
  found: Local<Value> | FromUpstream | undefined,
  encode: (value: Value) => Record<string, unknown>,
): Record<string, unknown> | null {
  return found ? encodeEither(found, encode) : null
}
