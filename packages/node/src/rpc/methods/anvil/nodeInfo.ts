import { z } from 'zod'
import { quantity } from '../../../shared/hex.ts'
import { maskUrl } from '../../../shared/urls.ts'
import { HexQuantity, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const nodeInfo = defineMethod({
  name: 'anvil_nodeInfo',
  summary: 'Returns the current block, environment and fork configuration, as in anvil. Secrets in URLs are removed.',
  role: 'read',
  params: {},
  result: z.object({
    currentBlockNumber: HexQuantity,
    currentBlockTimestamp: z.number(),
    currentBlockHash: HexWord,
    hardFork: z.string(),
    transactionOrder: z.literal('fees'),
    environment: z.object({
      baseFee: HexQuantity,
      chainId: z.number(),
      gasLimit: HexQuantity,
      gasPrice: HexQuantity,
    }),
    forkConfig: z.object({
      forkUrl: z.string().nullable(),
      forkBlockNumber: z.number().nullable(),
      forkRetryBackoff: z.number().nullable(),
    }),
  }),
  example: {
    params: [],
    result: {
      currentBlockNumber: '0x1406f4c',
      currentBlockTimestamp: 1729425611,
      currentBlockHash: '0xd5f1812548be429cbdc6376b29611fc49e06f1359758c4ceaaa3b393e2239f9c',
      hardFork: 'Prague',
      transactionOrder: 'fees',
      environment: { baseFee: '0x3b9aca00', chainId: 1, gasLimit: '0x1c9c380', gasPrice: '0x77359400' },
      forkConfig: { forkUrl: 'https://rpc.example/v3/***', forkBlockNumber: 21000000, forkRetryBackoff: null },
    },
  },
  async handler({ history, submission, upstream }) {
    const { hash, header } = history.head()
    const { fork } = (await history.at('latest')).block
    const baseFee = history.pendingHeader().baseFeePerGas ?? 0n
    const live = upstream()
    return {
      currentBlockNumber: quantity(header.number),
      currentBlockTimestamp: Number(header.timestamp),
      currentBlockHash: hash,
      hardFork: fork.charAt(0).toUpperCase() + fork.slice(1),
      transactionOrder: 'fees' as const,
      environment: {
        baseFee: quantity(baseFee),
        chainId: Number(history.chainId),
        gasLimit: quantity(header.gasLimit),
        gasPrice: quantity(baseFee + (await submission.suggestTip())),
      },
      forkConfig: {
        forkUrl: live ? maskUrl(live.url) : null,
        forkBlockNumber: live ? Number(history.origin.number) : null,
        forkRetryBackoff: null,
      },
    }
  },
})
