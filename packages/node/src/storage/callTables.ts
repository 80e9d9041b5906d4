/**
 * What happened inside transactions, stored with their block. A position is that of the transaction in its block, or of
 * the entry in its transaction.
 */
export const callTables = {
  /** Calls and creations in execution order; position 0 is the transaction itself. */
  calls: {
    block_number: 'integer',
    transaction_position: 'integer',
    position: 'integer',
    depth: 'integer',
    /** Index into the list of call types. */
    type: 'integer',
    sender: 'blob',
    /** The called or created address. */
    recipient: 'blob',
    /** `null` when the input is shorter than four bytes, or init code. */
    selector: 'blob?',
    value: 'blob?',
    gas: 'integer',
    gas_used: 'integer',
    /** The first bytes; `null` if the transaction itself, or `codes`, has them. */
    input: 'blob?',
    input_size: 'integer',
    /** The first bytes; `null` for created code. */
    output: 'blob?',
    output_size: 'integer',
    /** 0: succeeded, 1: failed, 2: succeeded, but an outer call reverted it. */
    outcome: 'integer',
    /** `null` for a revert and for success. */
    halt: 'text?',
  },
  /** Contracts whose creation was not reverted. */
  creations: {
    address: 'blob',
    block_number: 'integer',
    transaction_position: 'integer',
    position: 'integer',
    creator: 'blob',
    /** In `codes`; `null` if it is the transaction's own data. */
    init_hash: 'blob?',
  },
  /** Transfers of ether and tokens. */
  transfers: {
    block_number: 'integer',
    transaction_position: 'integer',
    position: 'integer',
    /** Index into the list of kinds. */
    kind: 'integer',
    /** The zero address for ether. */
    token: 'blob',
    sender: 'blob',
    recipient: 'blob',
    token_id: 'blob?',
    amount: 'blob',
  },
  /**
   * Mapping keys that transactions used: the slot `keccak(key, base)`, or one shortly after it, was read or written.
   */
  mapping_keys: {
    address: 'blob',
    base: 'blob',
    key: 'blob',
    /** The first block with such a transaction. */
    block_number: 'integer',
  },
} as const
