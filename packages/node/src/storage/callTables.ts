/** What transactions did inside: written with their block. Positions are those of the transaction in its block, and in it. */
export type CallTables = {
  /** Calls and creates, in the order of entry; position 0 is the transaction itself. */
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
    /** The start of it; `null` where the transaction itself, or `codes`, holds it. */
    input: Uint8Array | null
    input_size: number
    /** The start of it; `null` for created code. */
    output: Uint8Array | null
    output_size: number
    /** 0: it lived, 1: it failed, 2: it succeeded and an outer call undid it. */
    outcome: number
    /** `null` for a revert and for what lived. */
    halt: string | null
  }
  /** Contracts that lived on after they were created. */
  creations: {
    address: Uint8Array
    block_number: number
    transaction_position: number
    position: number
    creator: Uint8Array
    /** In `codes`; `null` when it is the transaction's own data. */
    init_hash: Uint8Array | null
  }
  /** Ether and tokens that changed hands. */
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
  /** Keys of mappings that transactions used: the slot `keccak(key, base)`, or one just after it, was read or written. */
  mapping_keys: {
    address: Uint8Array
    base: Uint8Array
    key: Uint8Array
    /** The first block with such a transaction. */
    block_number: number
  }
}
