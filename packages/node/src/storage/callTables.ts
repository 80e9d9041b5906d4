/**
 * What happened inside transactions, stored with their block. A position is that of the transaction in its block, or of
 * the entry in its transaction.
 */
export type CallTables = {
  /** Calls and creations in execution order; position 0 is the transaction itself. */
  calls: {
    block_number: number
    transaction_position: number
    position: number
    depth: number
    /** Index into the list of call types. */
    type: number
    sender: Uint8Array
    /** The called or created address. */
    recipient: Uint8Array
    /** `null` when the input is shorter than four bytes, or init code. */
    selector: Uint8Array | null
    value: Uint8Array | null
    gas: number
    gas_used: number
    /** The first bytes; `null` if the transaction itself, or `codes`, has them. */
    input: Uint8Array | null
    input_size: number
    /** The first bytes; `null` for created code. */
    output: Uint8Array | null
    output_size: number
    /** 0: succeeded, 1: failed, 2: succeeded, but an outer call reverted it. */
    outcome: number
    /** `null` for a revert and for success. */
    halt: string | null
  }
  /** Contracts whose creation was not reverted. */
  creations: {
    address: Uint8Array
    block_number: number
    transaction_position: number
    position: number
    creator: Uint8Array
    /** In `codes`; `null` if it is the transaction's own data. */
    init_hash: Uint8Array | null
  }
  /** Transfers of ether and tokens. */
  transfers: {
    block_number: number
    transaction_position: number
    position: number
    /** Index into the list of kinds. */
    kind: number
    /** The zero address for ether. */
    token: Uint8Array
    sender: Uint8Array
    recipient: Uint8Array
    token_id: Uint8Array | null
    amount: Uint8Array
  }
  /**
   * Mapping keys that transactions used: the slot `keccak(key, base)`, or one shortly after it, was read or written.
   */
  mapping_keys: {
    address: Uint8Array
    base: Uint8Array
    key: Uint8Array
    /** The first block with such a transaction. */
    block_number: number
  }
}
