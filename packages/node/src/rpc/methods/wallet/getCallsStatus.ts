import { z } from 'zod'
import type { Receipt } from '../../../ethereum/receipt.ts'
import { quantity } from '../../../shared/hex.ts'
import type { CallsStatus } from '../../../wallet/calls.ts'
import { HexBytes, HexQuantity, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleBundleId, exampleReceipt } from '../../examples.ts'

const CallsReceipt = z.object({
  logs: z.array(z.object({ address: HexBytes, topics: z.array(HexWord), data: HexBytes })),
  status: HexQuantity,
  blockHash: HexWord,
  blockNumber: HexQuantity,
  gasUsed: HexQuantity,
  transactionHash: HexWord,
})

const { status, blockHash, blockNumber, gasUsed, transactionHash } = exampleReceipt

export const getCallsStatus = defineMethod({
  name: 'wallet_getCallsStatus',
  summary:
    'Returns the state of a bundle that wallet_sendCalls sent: 100 pending, 200 confirmed, 500 reverted, 600 reverted in part; and the receipts of its transactions.',
  role: 'read',
  params: { id: z.string() },
  result: z.object({
    version: z.string(),
    id: z.string(),
    chainId: HexQuantity,
    status: z.number(),
    atomic: z.boolean(),
    receipts: z.array(CallsReceipt),
  }),
  errors: ['WALLET_CALLS_UNKNOWN'],
  example: {
    params: [exampleBundleId],
    result: {
      version: '2.0.0',
      id: exampleBundleId,
      chainId: '0x7a69',
      status: 200,
      atomic: true,
      receipts: [{ logs: [], status, blockHash, blockNumber, gasUsed, transactionHash }],
    },
  },
  async handler({ walletCalls, history }, { id }) {
    const found = await walletCalls.loadStatus(id)
    return {
      version: '2.0.0',
      id,
      chainId: quantity(history.chainId),
      status: codeOf(found),
      atomic: found.isAtomic,
      receipts: found.receipts.map(encodeCallsReceipt),
    }
  },
})

/** The status codes of EIP-5792. */
function codeOf({ isPending, isIncomplete, receipts }: CallsStatus): number {
  if (isPending) return 100
  const succeeded = receipts.filter((receipt) => receipt.status === 'success').length
  if (succeeded === receipts.length && !isIncomplete) return 200
  return succeeded === 0 ? 500 : 600
}

const encodeCallsReceipt = (receipt: Receipt) => ({
  logs: receipt.logs.map(({ address, topics, data }) => ({ address, topics, data })),
  status: receipt.status === 'success' ? ('0x1' as const) : ('0x0' as const),
  blockHash: receipt.blockHash,
  blockNumber: quantity(receipt.blockNumber),
  gasUsed: quantity(receipt.gasUsed),
  transactionHash: receipt.transaction.hash,
})
