/** What a precompile costs on a chain where that is not its built-in price. */
export type PrecompilePrice = {
  base: number
  /** For each word of the input that is begun. May have a fraction: what all words cost is rounded. */
  perWord: number
  /** For each byte of the input; default: 0. */
  perByte?: number
  /**
   * Added: so many times the built-in price, rounded down; default: 0. For precompiles whose price is no line, as that of MODEXP,
   * BLAKE2F and multi-scalar multiplications.
   */
  factor?: number
}

/**
 * What everything costs, in gas. Each is a whole number from 0 to 2^31 - 1. What is not here is no price that any chain was seen to
 * change: the other operations (src/opcodes.ts), and the square of the words of memory by 512.
 */
export type Prices = {
  /** SLOAD of a cold slot. A warm one costs `warmAccess`. */
  coldSload: number
  /** What SSTORE to a cold slot costs beside what it does. */
  coldSstore: number
  /** SSTORE that changes a slot for the first time in its transaction, if the slot was zero (with its access, if it is warm). */
  sstoreSet: number
  /** The same if it was not. Further changes, and those that change nothing, cost `warmAccess`. */
  sstoreReset: number
  /** Refund for clearing a slot. Those for restoring a value are `sstoreSet` or `sstoreReset` less `warmAccess`. */
  refundClear: number
  /** Access of a cold account (EIP-2929). */
  coldAccount: number
  /** Access of a warm account, and of a warm slot. */
  warmAccess: number
  /** EXTCODESIZE and EXTCODECOPY, beside the access of the account. */
  readCode: number
  /** A call with value. */
  callValue: number
  /** What a call with value is given beside its gas. SSTORE fails with this much gas or less (EIP-2200). */
  callStipend: number
  /** A call with value to an empty account, beside its state gas. */
  newAccount: number
  selfdestruct: number
  /** SELFDESTRUCT with a balance to an empty account, beside its state gas. */
  selfdestructNewAccount: number
  refundSelfdestruct: number
  /** TLOAD and TSTORE. */
  transient: number
  log: number
  logTopic: number
  logByte: number
  keccak: number
  keccakWord: number
  exp: number
  /** For each byte of the exponent. */
  expByte: number
  /** CREATE and CREATE2. */
  create: number
  /** New code, for each byte, beside its state gas. */
  codeByte: number
  /** New code, for each word. */
  codeWord: number
  /** Init code, for each word. */
  initcodeWord: number
  /** Copies of data, code and memory, for each word. */
  copyWord: number
  memoryWord: number
  /** A zero byte of a transaction's data. */
  calldataZeroByte: number
  /** Another byte of it. */
  calldataByte: number
  /** The least that a token of data costs (EIP-7623): a zero byte is one, another four. 0: nothing. */
  floorToken: number
  transaction: number
  /** A transaction that creates a contract, beside `transaction`. */
  transactionCreate: number
  /** A transaction to another account (EIP-2780). */
  transactionRecipient: number
  /** …with value. */
  transactionValue: number
  /** An address of the access list. */
  accessListAddress: number
  accessListKey: number
  /** An authorization (EIP-7702). */
  authorization: number
  /** Refund for an authorization whose account exists. */
  refundAuthorization: number
  /** The first write of an account by authorizations (EIP-8037). */
  accountWrite: number
  /** State gas (EIP-8037): a new account, a new slot, a new delegation, and each byte of new code. */
  accountState: number
  slotState: number
  delegationState: number
  codeByteState: number
  /** Precompiles that cost something else than built in, by address in lowercase. */
  precompiles: { readonly [address: `0x${string}`]: PrecompilePrice }
}
