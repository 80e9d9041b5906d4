import type { CallType } from '@understudy/evm'
import type { SourceLocation } from '../runs/runLines.ts'
import type { ColdAccess, LineAccesses } from './accesses.ts'
import type { MeasuredLine } from './measureGas.ts'

/** What a line did itself, without the contracts and functions that it calls. */
export type LineGas = SourceLocation &
  Pick<MeasuredLine, 'gas' | 'refund' | 'memoryGas'> & { accesses: LineAccesses | undefined }

/** All calls of a function, or of a contract, that one other makes. Its location is where the function begins. */
export type CallGas = SourceLocation & {
  /** The position of its caller in the list, before this one; `undefined` for the message itself. */
  parent: number | undefined
  type: CallType | 'FUNCTION'
  /** 0 for a function that the compiler moved into its caller. */
  calls: number
  /** Without that of the calls in it, and with it. */
  gas: bigint
  total: bigint
  /** Of a call of a contract: the most memory that it had, in bytes, and what the growth cost, as part of `total`. */
  memory: { bytes: number; gas: bigint } | undefined
}

/**
 * `intrinsic`, plus the gas of all lines (`others` is that of those that are not listed), minus `refund`, is `gasUsed`. So
 * is `intrinsic`, plus the own gas of all calls, minus `refund`.
 */
export type GasProfile = {
  gasUsed: bigint
  /** What a transaction costs before it runs, and what it pays for its data at least (EIP-7623). */
  intrinsic: bigint
  refund: bigint
  /** Before the limit: a fifth of the gas used, until London the half. Without those of lines, it is that of authorizations. */
  refundEarned: bigint
  /** The most expensive first. */
  lines: LineGas[]
  others: bigint
  calls: CallGas[]
  /** The first cold accesses, in order. */
  cold: ColdAccess<SourceLocation>[]
}
