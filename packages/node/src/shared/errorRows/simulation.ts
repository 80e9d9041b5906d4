/** The rows of `errorTable` about simulations, with the codes of eth_simulateV1. */
export const simulationErrors = {
  SIMULATED_NONCE_TOO_LOW: { code: -38010, message: '{text}' },
  SIMULATED_NONCE_TOO_HIGH: { code: -38011, message: '{text}' },
  SIMULATED_NONCE_MAX: { code: -32603, message: '{text}' },
  SIMULATED_FEE_TOO_LOW: { code: -38012, message: '{text}' },
  SIMULATED_GAS_TOO_LOW: { code: -38013, message: '{text}' },
  SIMULATED_INSUFFICIENT_FUNDS: { code: -38014, message: '{text}' },
  SIMULATED_BLOCK_FULL: { code: -38015, message: '{text}' },
  SIMULATED_NUMBER_NOT_GROWING: {
    code: -38020,
    message: 'block numbers must be in order: {number} <= {previous}',
  },
  SIMULATED_TIME_NOT_GROWING: {
    code: -38021,
    message: 'block timestamps must be in order: {timestamp} <= {previous}',
  },
} as const
