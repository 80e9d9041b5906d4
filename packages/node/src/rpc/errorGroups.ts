import type { ErrorKind } from '../shared/errors.ts'

/**
 * The kinds of errors that every method may have, by their causes. The list of a method has the others, and those of these
 * that its own work is likely to cause.
 */
export const commonErrors = {
  'The request is not valid': ['PARSE_ERROR', 'INVALID_REQUEST', 'METHOD_NOT_FOUND', 'INVALID_PARAMS'],
  'The caller has no right to call the method, or the request exceeds a limit or a quota': [
    'UNAUTHORIZED',
    'RATE_LIMITED',
    'LIMIT_EXCEEDED',
    'EXECUTION_TOO_LONG',
    'ANSWER_TOO_LARGE',
    'IN_FLIGHT_LIMIT_EXCEEDED',
    'KEY_COMPUTE_QUOTA_EXCEEDED',
    'KEY_FETCH_QUOTA_EXCEEDED',
    'KEY_DISK_QUOTA_EXCEEDED',
    'BRANCH_DISK_LIMIT_EXCEEDED',
    'REQUEST_CANCELLED',
  ],
  'The live chain does not have what the method reads, or does not answer': [
    'UPSTREAM_UNAVAILABLE',
    'UPSTREAM_REORGED',
    'UPSTREAM_CHAIN_MISMATCH',
    'UPSTREAM_HISTORY_MISMATCH',
    'UPSTREAM_ERROR',
    'UPSTREAM_STATE_PRUNED',
    'RECORDING_INCOMPLETE',
  ],
  'The data directory, the database or the audit file fails': [
    'DATA_DIRECTORY_WRITE_FAILED',
    'DATA_DIRECTORY_DAMAGED',
    'DATABASE_UNAVAILABLE',
    'DATABASE_OUTCOME_UNKNOWN',
    'DATABASE_AHEAD',
    'AUDIT_FILE_UNWRITABLE',
  ],
  'The network or the branch is not there, or stops': [
    'BRANCH_NOT_FOUND',
    'BRANCH_CLOSED',
    'HOSTED_NETWORK_NOT_FOUND',
    'HOSTED_NETWORK_UNAVAILABLE',
    'AWAKE_NETWORK_LIMIT_EXCEEDED',
    'NETWORK_STOPPING',
    'STOPPED_DURING_CALL',
    'RESET_FAILED',
  ],
  'Another node of the network does not answer, or takes over': [
    'NO_SEALER',
    'NOT_THE_SEALER',
    'NETWORK_TAKEN_OVER',
    'WRITE_OUTCOME_UNKNOWN',
  ],
  'The network has a bug': ['INTERNAL'],
} as const satisfies Record<string, readonly ErrorKind[]>

const commonKinds: ReadonlySet<ErrorKind> = new Set(Object.values(commonErrors).flat())

/** Whether every method may have it. */
export const isCommonError = (kind: ErrorKind): boolean => commonKinds.has(kind)

/** Of methods that read the state of a block. */
export const blockErrors = ['BLOCK_NOT_FOUND', 'BLOCK_PRUNED'] as const satisfies ErrorKind[]

/** Of methods that read logs. */
export const logErrors = [...blockErrors, 'TOO_MANY_LOGS', 'LIVE_LOG_RANGE_TOO_LARGE'] as const satisfies ErrorKind[]

/** Of methods that run a call: why it is not valid, or does not end. */
export const runErrors = [
  'INSUFFICIENT_FUNDS',
  'INTRINSIC_GAS_TOO_LOW',
  'FEE_CAP_TOO_LOW',
  'TRANSACTION_INVALID',
  'EXECUTION_FAILED',
  'EXECUTION_TOO_LONG',
] as const satisfies ErrorKind[]

/** Of methods that run a transaction. */
export const transactionErrors = [
  'NONCE_TOO_LOW',
  'NONCE_TOO_HIGH',
  'GAS_LIMIT_EXCEEDED',
  ...runErrors,
] as const satisfies ErrorKind[]

/** Of methods that run a call on a block, and return its outcome. */
export const tracedCallErrors = [...blockErrors, ...runErrors] as const satisfies ErrorKind[]

/** Of methods that run a call on a block, which must succeed. */
export const callErrors = ['EXECUTION_REVERTED', ...tracedCallErrors] as const satisfies ErrorKind[]

/** Of methods that run a block again. */
export const replayErrors = [
  ...blockErrors,
  'NOT_FOUND',
  'GENESIS_NOT_TRACEABLE',
  'UNSUPPORTED',
  ...transactionErrors,
] as const satisfies ErrorKind[]

/** Of methods that run a sealed transaction again. */
export const sealedTransactionErrors = ['TRANSACTION_NOT_FOUND', ...replayErrors] as const satisfies ErrorKind[]

/** Of methods that take a signed transaction. */
export const submissionErrors = [
  ...transactionErrors,
  'ALREADY_KNOWN',
  'REPLACEMENT_UNDERPRICED',
  'ADDRESS_RESERVED',
  'POOL_FULL',
] as const satisfies ErrorKind[]

/** Of methods that make a transaction of a request, and send it. */
export const sendErrors = ['NOT_IMPERSONATED', 'EXECUTION_REVERTED', ...submissionErrors] as const satisfies ErrorKind[]

/** Of methods that run a user operation. */
export const userOperationErrors = [
  'ENTRY_POINT_UNSUPPORTED',
  'ENTRY_POINT_NOT_DEPLOYED',
  'USER_OPERATION_REJECTED',
  'USER_OPERATION_REJECTED_BY_PAYMASTER',
  'USER_OPERATION_OUT_OF_TIME_RANGE',
  'USER_OPERATION_SIGNATURE_INVALID',
  'USER_OPERATION_DEPOSIT_TOO_LOW',
] as const satisfies ErrorKind[]

/** Of methods that find the slot of a token balance. */
export const tokenBalanceErrors = [
  'BALANCE_SLOT_NOT_FOUND',
  'EXECUTION_REVERTED',
  'EXECUTION_FAILED',
  'EXECUTION_TOO_LONG',
] as const satisfies ErrorKind[]
