import { z } from 'zod'
import { quantity } from '../../../shared/hex.ts'
import { HexQuantity, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

const Resource = z.object({
  disabled: z.boolean(),
  oldestBlock: HexQuantity.optional(),
  deleteStrategy: z.object({ type: z.literal('window'), retentionBlocks: HexQuantity }).optional(),
})

export const capabilities = defineMethod({
  name: 'eth_capabilities',
  summary:
    'Returns the oldest block for which blocks, state, logs and proofs are available. Before the fork, that depends on upstream.',
  role: 'read',
  params: {},
  result: z.object({
    head: z.object({ number: HexQuantity, hash: HexWord }),
    state: Resource,
    tx: Resource,
    logs: Resource,
    receipts: Resource,
    blocks: Resource,
    stateproofs: Resource,
  }),
  example: {
    params: [],
    result: {
      head: { number: '0x1', hash: '0xc967b4b99a12bf3c4f024cfe16c26fb99a4071fa4be1710f4c0e972bddd291f6' },
      state: { disabled: false, oldestBlock: '0x0' },
      tx: { disabled: false, oldestBlock: '0x0' },
      logs: { disabled: false, oldestBlock: '0x0' },
      receipts: { disabled: false, oldestBlock: '0x0' },
      blocks: { disabled: false, oldestBlock: '0x0' },
      stateproofs: { disabled: true },
    },
  },
  handler({ history, info }) {
    const { hash, header } = history.head()
    const { oldest, keepBlocks } = history.kept()
    const kept = {
      disabled: false,
      oldestBlock: quantity(oldest),
      ...(keepBlocks !== undefined && {
        deleteStrategy: { type: 'window' as const, retentionBlocks: quantity(keepBlocks) },
      }),
    }
    return {
      head: { number: quantity(header.number), hash },
      state: kept,
      tx: kept,
      logs: kept,
      receipts: kept,
      blocks: kept,
      stateproofs: info().upstreamChainId === undefined ? { disabled: true } : kept,
    }
  },
})
