import type { Hex } from 'viem'

/** A call within a transaction, as callTracer reports it. */
export type CallFrame = {
  type: string
  from: Hex
  to?: Hex
  value?: Hex
  gas: Hex
  gasUsed: Hex
  input: Hex
  output?: Hex
  error?: string
  revertReason?: string
  calls?: CallFrame[]
}

/** Where contracts log. */
export const consoleAddress = '0x000000000000000000636f6e736f6c652e6c6f67'

/** The fields of an account that a transaction changed. */
export type AccountState = { balance?: Hex; nonce?: number; code?: Hex; storage?: Record<Hex, Hex> }
export type StateDiff = { pre: Record<Hex, AccountState>; post: Record<Hex, AccountState> }
