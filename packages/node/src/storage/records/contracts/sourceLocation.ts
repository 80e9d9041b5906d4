import type { Address } from '@understudy/evm'

/** A location in the code that a run ran. */
export type SourceLocation = {
  /** The contract whose code ran; for a delegate call, not the one whose storage it used. */
  address: Address
  contract: string | undefined
  /** `undefined` for code that was not imported with its lines; the same for `line`. */
  file: string | undefined
  /** Counted from 1. */
  line: number | undefined
  /** With its contract, which may be inherited, if the line is known. */
  function: string | undefined
}
