import { blockErrors, simulationErrors } from './errorRows/blocks.ts'
import { limitErrors } from './errorRows/limits.ts'
import { branchErrors, networkErrors } from './errorRows/networks.ts'
import { userOperationErrors } from './errorRows/userOperations.ts'
import { walletErrors } from './errorRows/wallet.ts'

/**
 * Every error for clients: its JSON-RPC code and its message, which tells the caller what to do next. `{name}` in a
 * message is filled from the details of the error, which are also sent as `data`. docs/errors.md is generated from this
 * table. Rows about one subject are in `errorRows`.
 */
export const errorTable = {
  // The JSON-RPC envelope.
  PARSE_ERROR: { code: -32700, message: 'parse error: the body is not valid JSON' },
  INVALID_REQUEST: { code: -32600, message: 'invalid request: {problem}' },
  METHOD_NOT_FOUND: { code: -32601, message: 'the method {method} does not exist/is not available' },
  INVALID_PARAMS: { code: -32602, message: 'invalid params: {field}: {problem}' },
  INTERNAL: { code: -32603, message: 'internal error {id}: please report it with the log line of that id' },

  // Execution and the pool, in geth's words, because tools match on them.
  EXECUTION_REVERTED: { code: 3, message: '{text}' },
  EXECUTION_FAILED: { code: -32000, message: '{text}' },
  EXECUTION_TOO_LONG: {
    code: -32000,
    message: 'execution aborted (timeout = {seconds}s): reduce the work, or raise --call-timeout',
  },
  NONCE_TOO_LOW: { code: -32000, message: 'nonce too low: address {address}, tx: {nonce} state: {expected}' },
  NONCE_TOO_HIGH: { code: -32000, message: 'nonce too high: address {address}, tx: {nonce} state: {expected}' },
  ALREADY_KNOWN: { code: -32000, message: 'already known' },
  INSUFFICIENT_FUNDS: {
    code: -32000,
    message:
      'insufficient funds for gas * price + value: address {address} have {have} want {want}. Use dev_setBalance to fund it',
  },
  INTRINSIC_GAS_TOO_LOW: { code: -32000, message: 'intrinsic gas too low: gas {gas}, minimum needed {minimum}' },
  GAS_LIMIT_EXCEEDED: { code: -32000, message: 'exceeds block gas limit: gas {gas}, limit {limit}' },
  FEE_CAP_TOO_LOW: {
    code: -32000,
    message: 'max fee per gas less than block base fee: maxFeePerGas: {maxFeePerGas}, baseFee: {baseFee}',
  },
  REPLACEMENT_UNDERPRICED: {
    code: -32000,
    message:
      'replacement transaction underpriced: a transaction with this nonce is pending; its {field} must be raised by {percent} %, to {minimum} wei',
  },
  ADDRESS_RESERVED: {
    code: -32000,
    message:
      'address already reserved: transactions {waiting} blobs of {address} are pending. Send the one {sent} blobs when they are in a block',
  },
  POOL_FULL: {
    code: -32000,
    message: 'txpool is full: {limit} transactions are pending; mine some or raise --pool-limit',
  },
  TRANSACTION_INVALID: { code: -32000, message: '{text}' },
  DEPOSIT_REFUSED: { code: -32000, message: 'transaction type not supported: 0x7e, a deposit: {problem}' },

  ...simulationErrors,
  HEADER_NOT_FOUND: { code: -32000, message: 'header not found: block {block} does not exist' },
  TRANSACTION_NOT_FOUND: { code: -32000, message: 'transaction not found: {hash} is in no block' },
  CONDITION_FAILED: { code: -32003, message: 'transaction rejected: a condition does not hold: {problem}' },
  TRACER_FAILED: { code: -32000, message: '{text}' },
  GENESIS_NOT_TRACEABLE: { code: -32000, message: 'genesis is not traceable: it has no transactions' },
  NOT_A_PRECOMPILE: { code: -32000, message: 'movePrecompileToAddress: account {address} is not a precompile' },
  PRECOMPILE_MOVED_TO_ITSELF: {
    code: -38022,
    message: 'movePrecompileToAddress: {address} is moved to itself. Choose another address',
  },
  PRECOMPILE_MOVED_TWICE: { code: -38023, message: 'movePrecompileToAddress: two precompiles are moved to {address}' },
  SIMULATED_INITCODE_TOO_LARGE: { code: -38025, message: '{text}' },
  SIMULATION_TOO_LARGE: { code: -38026, message: 'simulation too large: it has {what}. Split it into several calls' },

  // EIP-7966. `data` is the hash.
  NOT_SEALED_IN_TIME: {
    code: 4,
    message:
      'transaction {hash} is in the pool but was not sealed within {timeout} ms. Ask for its receipt later with eth_getTransactionReceipt, or seal a block with evm_mine',
  },

  ...userOperationErrors,
  ...walletErrors,

  // Resources.
  ...blockErrors,
  // With -32000, on which viem creates the filter again.
  FILTER_NOT_FOUND: {
    code: -32000,
    message: 'filter not found: {id}. It was deleted, expired, or missed too many changes; create it again',
  },
  DEBUG_SESSION_NOT_FOUND: {
    code: -32001,
    message:
      'no debug session {id}: it was closed, was unused for ten minutes, ended with a revert or reset of the network, or is of another node. Open it again with dev_debugOpen, and send its requests to the same node',
  },
  COVERAGE_NOT_RUNNING: {
    code: -32001,
    message:
      'coverage is not running: start it with dev_startCoverage or `understudy coverage start`. A restart or reset of the network and a change of the sealing node stop it',
  },
  NOT_FOUND: { code: -32001, message: 'no such {resource}: {id}' },

  // The live chain.
  UPSTREAM_UNAVAILABLE: {
    code: -32002,
    message: 'upstream unavailable: {problem}. Local state is still served; retry the request',
  },
  UPSTREAM_REORGED: {
    code: -32002,
    message:
      'upstream no longer has block {block} ({hash}), which the network reads: its chain was reorganised. Unless its base is pinned, the network moves to the next head; retry the request then',
  },
  UPSTREAM_CHAIN_MISMATCH: {
    code: -32002,
    message: 'upstream {url} is chain {actual}, not {expected}. Point --fork-url at chain {expected}',
  },
  UPSTREAM_HISTORY_MISMATCH: {
    code: -32002,
    message:
      'upstream {url} is not the chain that was forked: its block {block} is {actual}, not {expected}. Its state is not used. Point --fork-url at the forked chain, or fork this one with another --data-dir',
  },
  UPSTREAM_ERROR: { code: -32000, message: 'upstream returned an error: {problem}' },
  UPSTREAM_STATE_PRUNED: {
    code: -32000,
    message:
      "missing trie node: the live chain's endpoint no longer has the state of block {block}. Use an archive node, or a newer block",
  },
  RECORDING_INCOMPLETE: {
    code: -32000,
    message:
      'the recording {file} has no answer to {call}. To add it, start with --from and --extend instead of --offline, with a --fork-url of the recorded chain, and do the same again',
  },

  // Starting.
  CONFIG_INVALID: { code: -32602, message: '{option}: {problem}' },
  CANNOT_LISTEN: { code: -32000, message: 'cannot listen on {host}:{port}: {problem}' },
  AUDIT_FILE_UNUSABLE: {
    code: -32000,
    message: 'the audit file {file} cannot be used: {problem}. Choose another with --audit-file',
  },
  AUDIT_FILE_UNWRITABLE: {
    code: -32000,
    message: 'the audit file {file} cannot be written: {problem}. Calls of the role admin are refused until it can',
  },
  AUDIT_FILE_MODIFIED: {
    code: -32000,
    message: 'the audit file {file} was modified: line {line}: {problem}',
  },
  RECORDING_INVALID: { code: -32000, message: 'the recording {file} cannot be used: {problem}' },
  RECORDING_UNWRITABLE: { code: -32000, message: 'the recording {file} cannot be written: {problem}' },
  DATA_DIRECTORY_IN_USE: {
    code: -32000,
    message: 'the data directory {directory} is in use by another process. Stop it, or choose another with --data-dir',
  },
  DATA_DIRECTORY_UNUSABLE: {
    code: -32000,
    message: 'the data directory {directory} cannot be used: {problem}. Fix it, or choose another with --data-dir',
  },
  DATA_DIRECTORY_WRITE_FAILED: {
    code: -32002,
    message:
      'the data directory {directory} failed: {problem}. Nothing was changed, and reads are still served; fix it and retry the request',
  },
  DATA_DIRECTORY_DAMAGED: {
    code: -32002,
    message:
      'the database in the data directory {directory} is damaged: {problem}. Stop the network, then restore the directory from a backup or choose another with --data-dir',
  },
  NETWORK_VERSION_TOO_NEW: {
    code: -32000,
    message:
      'the network was written by a newer version of understudy: this version does not have its migration {migration}. Install the newer version, or choose another network with --data-dir or --network',
  },
  NETWORK_VERSION_TOO_OLD: {
    code: -32000,
    message:
      'the network was written by an older version of understudy, whose tables this version does not read: it has the migration {migration}. To keep its state, start it with that version, store what anvil_dumpState returns, and pass it to anvil_loadState of a new network. Or choose another network with --data-dir or --network',
  },
  DATA_DIRECTORY_CHAIN_MISMATCH: {
    code: -32000,
    message:
      'the data directory {directory} holds {stored}, not {wanted}. Choose another with --data-dir, or delete it to start over',
  },
  DATABASE_UNUSABLE: { code: -32000, message: 'the database {url} cannot be used: {problem}. {advice}' },
  DATABASE_UNAVAILABLE: {
    code: -32002,
    message: 'the database did not answer: {problem}. Nothing was changed; retry the request',
  },
  DATABASE_OUTCOME_UNKNOWN: {
    code: -32002,
    message:
      'the connection to the database was lost while it stored the change, and it is unknown whether the change is stored. Read the state before you retry',
  },
  DATABASE_AHEAD: {
    code: -32002,
    message:
      'the database has a change of the network {network} that this process took for lost. Restart the network to load it',
  },
  NETWORK_TAKEN_OVER: {
    code: -32002,
    message:
      'another node of the network {network} took over while this one was paused or cut off; nothing of the call was stored. Retry it',
  },
  NO_SEALER: {
    code: -32002,
    message: 'no node of the network seals blocks at the moment: {problem}. Nothing was changed; retry shortly',
  },
  NOT_THE_SEALER: {
    code: -32002,
    message: 'this node does not seal blocks: send {what} to the node that does, {sealer}',
  },
  NETWORK_STOPPING: {
    code: -32002,
    message: 'the network is stopping: send the request again when it is back',
  },
  STOPPED_DURING_CALL: {
    code: -32002,
    message:
      'the network stopped before the call was done, and it is unknown whether it was executed. Check the state before you retry',
  },
  MINING_INTERRUPTED: {
    code: -32002,
    message: 'the network is stopping: {mined} of {blocks} blocks were mined. Mine the rest when it is back',
  },
  WRITE_OUTCOME_UNKNOWN: {
    code: -32002,
    message:
      'the sealing node was lost while it ran the call, and it is unknown whether the call was executed. Check the state before you retry',
  },
  NETWORK_NOT_FOUND: {
    code: -32000,
    message: 'no network found at {location}: pass the data directory or the postgres:// URL of an existing network',
  },
  COPY_TARGET_NOT_EMPTY: {
    code: -32000,
    message: 'there is already a network at {location}. Copy to an empty location, or delete that network first',
  },
  NETWORK_IN_USE: {
    code: -32000,
    message:
      'the network {network} of the database is in use by another process. Stop it, or choose another with --network',
  },
  NETWORK_CHAIN_MISMATCH: {
    code: -32000,
    message:
      'the network {network} of the database is {stored}, not {wanted}. Choose another with --network, or drop its schema to start over',
  },

  RESET_TO_URL_NOT_ALLOWED: {
    code: -32004,
    message:
      'this network must not be reset to another URL (--reset-to-url false). Reset it to a block, or without a target',
  },
  RESET_URL_UNUSABLE: {
    code: -32002,
    message: 'no chain that can be forked answered at that URL. The log of the network has the reason',
  },
  RESET_FAILED: {
    code: -32000,
    message: 'the network could not be opened again after a reset: {problem}. Restart it with the same --data-dir',
  },

  // Roles and limits.
  NOT_IMPERSONATED: {
    code: -32003,
    message:
      'unknown account: {address} is neither a funded account nor impersonated. Call dev_impersonateAccount first, or send a signed transaction with eth_sendRawTransaction',
  },
  UNSUPPORTED: { code: -32004, message: 'not supported: {what}' },
  SHADOW_UNAVAILABLE: { code: -32004, message: 'this network cannot shadow the live chain: {reason}' },
  ...limitErrors,
  UNAUTHORIZED: { code: 4100, message: 'unauthorized: {problem}' },

  // Extension methods.
  TRACKED_ITEM_NOT_FOUND: {
    code: -32001,
    message: 'no tracked item has the id {id}. dev_getTrackedData lists the existing ones',
  },
  ...networkErrors,
  ...branchErrors,
  WORKSPACE_NOT_FOUND: {
    code: -32001,
    message: 'no workspace has the id {id}. dev_getWorkspaces lists the existing ones',
  },
  WORKSPACE_NEEDS_ABI: {
    code: -32000,
    message:
      'the contract at {address} has code that the live chain does not have there, so block explorers do not know it. Pass its abi, or push the compiled contract with dev_importContracts. If the code of a live contract was changed here, dev_resyncAccount restores the live code',
  },
  OVERRIDE_NOT_FOUND: {
    code: -32001,
    message: 'no function override has the id {id}. dev_getFunctionOverrides lists the existing ones',
  },
  OVERRIDE_EXISTS: {
    code: -32000,
    message:
      'function {selector} of {address} already has an override for these inputs, {id}. Change it with dev_updateFunctionOverride, or remove it first',
  },
  ACCOUNT_FOLLOWED: {
    code: -32000,
    message:
      'account {address} is followed: it is always read from the live chain, so the write would have no effect. Call dev_unfollowAccount first',
  },
  SLOT_FOLLOWED: {
    code: -32000,
    message:
      'slot {slot} of {address} is followed: it is always read from the live chain, so the write would have no effect. Call dev_unfollowSlots (or dev_unfollowAccount) first',
  },
  ACCOUNT_NOT_ON_UPSTREAM: {
    code: -32000,
    message:
      'account {address} exists only on this network: it has no code, nonce or balance on the live chain that could be followed or restored',
  },
  HARDFORK_UNKNOWN: {
    code: -32004,
    message:
      'not supported: the hardfork {name}; supported are {known}. Upgrade Understudy, or use the rules of another hardfork with --hardfork',
  },
  CHAIN_NOT_EVM: {
    code: -32004,
    message:
      'not supported: a fork of {name}, whose contracts run on EraVM, not on the EVM: their results would be wrong. Use anvil-zksync',
  },
  NOT_A_FORK: {
    code: -32004,
    message: 'this network is not a fork, but {what} needs one. Start the network with --fork-url',
  },
  BALANCE_SLOT_NOT_FOUND: {
    code: -32004,
    message:
      'no storage slot of {token} is the balance of {holder}: {problem}. If you know the slots, use dev_followSlots or dev_setStorageAt',
  },
  ALLOWANCE_SLOT_NOT_FOUND: {
    code: -32004,
    message:
      'no storage slot of {token} is the allowance of {owner} to {spender}: {problem}. If you know the slot, use dev_setStorageAt',
  },
} as const satisfies Record<string, { code: number; message: string }>

export type ErrorKind = keyof typeof errorTable

type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

export type ErrorDetails<Kind extends ErrorKind> = {
  [Name in Placeholders<(typeof errorTable)[Kind]['message']>]: string | number | bigint
} & {
  /** What contracts logged with `console.log` before an execution failed. */
  consoleLogs?: readonly string[]
  /** Where an execution failed, as `dev_getStackTrace` returns it. */
  stackTrace?: readonly object[]
}

type Extra = { cause?: unknown; data?: unknown }

/** An error for clients, defined by its row in `errorTable`. */
export class NetworkError<Kind extends ErrorKind = ErrorKind> extends Error {
  readonly kind: Kind
  readonly code: number
  readonly details: ErrorDetails<Kind>
  /** Sent as the error's `data` instead of the details, or with them by methods of our own; for example, revert data. */
  readonly data: unknown

  constructor(kind: Kind, details: ErrorDetails<Kind>, { cause, data }: Extra = {}) {
    const row = errorTable[kind]
    super(
      row.message.replace(/\{(\w+)\}/g, (_, name: string) => String(details[name as keyof typeof details])),
      cause === undefined ? undefined : { cause },
    )
    this.name = 'NetworkError'
    this.kind = kind
    this.code = row.code
    this.details = details
    this.data = data
  }
}

export function isNetworkError<Kind extends ErrorKind>(error: unknown, kind?: Kind): error is NetworkError<Kind> {
  return error instanceof NetworkError && (kind === undefined || error.kind === kind)
}

/** Whether upstream, or its recording, answered with an error, which concerns only that request. */
export function isAnsweredError(error: unknown): error is NetworkError {
  return (
    isNetworkError(error, 'UPSTREAM_ERROR') ||
    isNetworkError(error, 'UPSTREAM_STATE_PRUNED') ||
    isNetworkError(error, 'RECORDING_INCOMPLETE')
  )
}

/** Whether upstream is unreachable or was replaced by another chain: the request can be retried when it is back. */
export function isUpstreamAway(error: unknown): error is NetworkError {
  return (
    isNetworkError(error, 'UPSTREAM_UNAVAILABLE') ||
    isNetworkError(error, 'UPSTREAM_CHAIN_MISMATCH') ||
    isNetworkError(error, 'UPSTREAM_HISTORY_MISMATCH')
  )
}
