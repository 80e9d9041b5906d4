import type { Address, FlatCallTrace } from '@understudy/evm'

export type TraceFilter = {
  from: bigint
  to: bigint
  /** Any of these is the caller; `undefined`: whoever. */
  fromAddresses: readonly Address[] | undefined
  /** Any of these is called, created or enriched. */
  toAddresses: readonly Address[] | undefined
  /** With both lists: `union` asks for one of them, `intersection` for both. */
  mode: 'union' | 'intersection'
  /** Matches that are left out at the start. */
  after: number | undefined
  /** Matches that are answered at the most. */
  count: number | undefined
}

export function matchesFilter({ action, result }: FlatCallTrace, filter: TraceFilter): boolean {
  const { fromAddresses, toAddresses, mode } = filter
  const isOneOf = (addresses: readonly Address[], address: unknown) => addresses.includes(address as Address)
  const from = fromAddresses && isOneOf(fromAddresses, action.from ?? action.address)
  const to = toAddresses && isOneOf(toAddresses, action.to ?? action.refundAddress ?? result?.address)
  if (from === undefined || to === undefined) return from ?? to ?? true
  return mode === 'union' ? from || to : from && to
}
