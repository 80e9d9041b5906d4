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
      'block {block} is finalized, so no more than the latest {depth} blocks can be removed: --slots-in-an-epoch says when blocks are. evm_revert and anvil_reset go back further',
  },
} as const
