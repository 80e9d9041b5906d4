import type { Hex } from '@understudy/evm'
import { z } from 'zod'
import type { TransactionRequest } from '../../../chain/blobs/blobs.ts'
import { NetworkError } from '../../../shared/errors.ts'
import { CallRequest, transactionRequest } from '../../codecs/calls/callRequest.ts'
import { BytesAsHex } from '../../codecs/hex.ts'
import { quantityUpTo } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { sendErrors } from '../../errorGroups.ts'

/** Maximum number of blocks that one request replaces. */
const maxDepth = 1000n
const Depth = quantityUpTo(maxDepth, `a number of blocks (0x-hex, decimal digits or a number, at most ${maxDepth})`, {
  title: 'Depth',
})

const Pair = z
  .tuple([z.union([BytesAsHex, CallRequest]), z.number().int().min(0)])
  .meta({ title: 'ReorgTransaction', description: 'a signed transaction or a request, and the index of its new block' })

export const reorg = defineMethod({
  name: 'anvil_reorg',
  summary:
    'Replaces the latest blocks with as many new ones that contain the given transactions. The transactions of the replaced blocks are dropped; those that wait for a block stay.',
  role: 'admin',
  // The names that alloy sends them by.
  params: { depth: Depth, tx_block_pairs: withDefault(z.array(Pair), []) },
  result: z.null(),
  errors: ['BLOCK_FINALIZED', 'DEPOSIT_REFUSED', ...sendErrors],
  example: { params: [2, []], result: null },
  async handler({ rewinds, history }, { depth, tx_block_pairs: transactions }) {
    const byBlock = new Map<number, (Hex | TransactionRequest)[]>()
    for (const [transaction, index] of transactions) {
      if (index >= depth)
        throw new NetworkError('INVALID_PARAMS', {
          field: 'params[1]',
          problem: `block index ${index} is not below the depth ${depth}`,
        })
      const given = typeof transaction === 'string' ? transaction : transactionRequest(transaction, history.chainId)
      byBlock.set(index, [...(byBlock.get(index) ?? []), given])
    }
    await rewinds.reorg(depth, byBlock)
    return null
  },
})
