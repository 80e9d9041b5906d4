/** The rows of `errorTable` about blocks that cannot be read or removed. */
export const blockErrors = {
  BLOCK_NOT_FOUND: { code: -32001, message: 'header not found: block {block} does not exist; the head is {head}' },
  BLOCK_PRUNED: {
    code: 4444,
    message:
      'pruned history unavailable: block {block} is older than --keep-blocks allows; the oldest is {oldest}. Use a newer block, or start with a larger --keep-blocks',
  },
  BLOCK_FINALIZED: {
    code: -32000,
    message:
      'block {block} is finalized, so at most the latest {depth} blocks can be removed (--slots-in-an-epoch determines when a block is finalized). evm_revert and anvil_reset can go back further',
  },
} as const

/** The rows of `errorTable` about simulations, with the codes of eth_simulateV1. */
export const simulationErrors = {
  SIMULATED_NONCE_TOO_LOW: { code: -38010, message: '{text}' },
  SIMULATED_NONCE_TOO_HIGH: { code: -38011, message: '{text}' },
  SIMULATED_NONCE_MAX: { code: -32603, message: '{text}' },
  SIMULATED_FEE_TOO_LOW: { code: -38012, message: '{text}' },
  SIMULATED_GAS_TOO_LOW: { code: -38013, message: '{text}' },
  SIMULATED_INSUFFICIENT_FUNDS: { code: -38014, message: '{text}' },
  SIMULATED_BLOCK_FULL: { code: -38015, message: '{text}' },
  SIMULATED_NUMBER_NOT_INCREASING: {
    code: -38020,
    message: 'block numbers must be in order: {number} <= {previous}',
  },
  SIMULATED_TIME_NOT_INCREASING: {
    code: -38021,
    message: 'block timestamps must be in order: {timestamp} <= {previous}',
  },
} as const
