import type { Address, FlatCallTrace } from '@understudy/evm'

export type TraceFilter = {
  from: bigint
  to: bigint
  /** Any of these is the caller; `undefined`: any caller. */
  fromAddresses: readonly Address[] | undefined
  /** Any of these is called, created or credited. */
  toAddresses: readonly Address[] | undefined
  /** With both lists: `union` requires a match in one of them, `intersection` in both. */
  mode: 'union' | 'intersection'
  /** Number of matches to skip. */
  after: number | undefined
  /** Maximum number of matches to return. */
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
