import type { ErrorKind, NetworkError } from '../../shared/errors.ts'

/**
 * The JSON-RPC error object as JSON. `data` is the error's data (such as return data), or its kind and details; methods of
 * our own send both.
 */
export function encodeError({ code, message, kind, details, data }: NetworkError, method = ''): string {
  const isCommon = isOfEveryNode(method)
  const isPlain = isCommon && (commonKinds.has(kind) || kind.startsWith('SIMULATED_'))
  const explained = isPlain ? undefined : { kind, ...details }
  const shown = data === undefined ? explained : isCommon ? data : { kind, ...details, data }
  return JSON.stringify({ code, message, data: shown }, (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}

/** Namespaces whose methods every node has. */
const commonNamespaces = /^(?:eth|debug|net|txpool|web3)_/

export const isOfEveryNode = (method: string): boolean => commonNamespaces.test(method)

/** Errors that every node has. In these namespaces they have no details, because test suites compare whole errors. */
const commonKinds: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  'INVALID_PARAMS',
  'EXECUTION_FAILED',
  'EXECUTION_TOO_LONG',
  'NONCE_TOO_LOW',
  'NONCE_TOO_HIGH',
  'ALREADY_KNOWN',
  'INSUFFICIENT_FUNDS',
  'INTRINSIC_GAS_TOO_LOW',
  'GAS_LIMIT_EXCEEDED',
  'FEE_CAP_TOO_LOW',
  'REPLACEMENT_UNDERPRICED',
  'ADDRESS_RESERVED',
  'POOL_FULL',
  'TRANSACTION_INVALID',
  'BLOCK_NOT_FOUND',
  'HEADER_NOT_FOUND',
  'TRANSACTION_NOT_FOUND',
  'GENESIS_NOT_TRACEABLE',
  'SIMULATION_TOO_LARGE',
  'FILTER_NOT_FOUND',
  'NOT_FOUND',
  'NOT_A_PRECOMPILE',
  'PRECOMPILE_MOVED_TO_ITSELF',
  'PRECOMPILE_MOVED_TWICE',
])
