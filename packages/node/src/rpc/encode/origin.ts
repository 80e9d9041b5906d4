import type { FromUpstream, Local } from '../../chain/chain.ts'

/** Encodes what is the network's own; what is upstream's passes through as it came. `null` when there is nothing. */
export function encodeFound<Value>(
  found: Local<Value> | FromUpstream | undefined,
  encode: (value: Value) => Record<string, unknown>,
): Record<string, unknown> | null {
  if (!found) return null
  return found.origin === 'local' ? encode(found.value) : found.value
}
