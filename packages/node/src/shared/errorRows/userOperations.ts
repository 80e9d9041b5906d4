/** The rows of `errorTable` about user operations, with the codes of ERC-4337. */
export const userOperationErrors = {
  USER_OPERATION_REJECTED: { code: -32500, message: 'user operation rejected by the entry point: {reason}' },
  USER_OPERATION_REJECTED_BY_PAYMASTER: {
    code: -32501,
    message: 'user operation rejected by its paymaster: {reason}',
  },
  USER_OPERATION_BREAKS_RULES: {
    code: -32502,
    message:
      'the validation of the user operation breaks rule {rule} of ERC-7562: the {entity} {address} {problem}. Change the contract, or start the network with --user-operation-rules warn',
  },
  USER_OPERATION_OUT_OF_TIME_RANGE: {
    code: -32503,
    message: 'user operation not valid at the time of the next block: {reason}',
  },
  USER_OPERATION_SIGNATURE_INVALID: {
    code: -32507,
    message:
      'the signature of the user operation is invalid: {reason}. Sign the hash that the entry point computes from its final fields, for the chain id of this network',
  },
  USER_OPERATION_DEPOSIT_TOO_LOW: {
    code: -32508,
    message:
      "the paymaster's deposit is too low for the user operation: {reason}. Call depositTo of the entry point with ether for it",
  },
  USER_OPERATION_CALL_REVERTED: {
    code: -32521,
    message: 'the call of the user operation reverts: {reason}. Its validation succeeds',
  },
  ENTRY_POINT_UNSUPPORTED: {
    code: -32602,
    message: 'invalid params: params[1]: expected a supported entry point: {known}; got {address}',
  },
  ENTRY_POINT_NOT_DEPLOYED: {
    code: -32004,
    message:
      'there is no contract at {address}, the entry point of version {version}: fork a chain that has it, or deploy it as docs/smart-accounts.md describes',
  },
} as const
