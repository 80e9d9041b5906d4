import type { AbiParameter, Address, Hex } from 'viem'
import type { CallFields } from './walletCall.ts'

/** What a text says: the fields of the request of `dev_simulate` that it has. */
export type CallText = {
  calls: CallFields[]
  /** Set if the calls are one transaction. */
  onFailure?: unknown
  block?: unknown
  transactionIndex?: unknown
  stateOverrides?: unknown
  blockOverrides?: unknown
  validation?: unknown
}

/** What reading needs of a network and of the reader's ABI encoder. */
export type CallReader = {
  /** What a contract returns. Throws if the call fails. */
  call(call: { to: Address; data: Hex }): Promise<Hex>
  /** Encodes the call of a function, whose arguments may be texts. `field` is for errors. */
  encode(
    fragment: { type: string; name: string; inputs: readonly AbiParameter[]; outputs: readonly AbiParameter[] },
    values: readonly unknown[],
    field: string,
  ): Hex
}

/** What a user says beside a text; it wins over the text. */
export type Given = { from?: Address | undefined; to?: Address | undefined }
