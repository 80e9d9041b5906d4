import { z } from 'zod'
import { CallBundle } from '../../codecs/calls/callBundle.ts'
import { DecimalString, HexAddress, HexBytes, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeBundle } from '../../encode/bundle.ts'
import { blockErrors, transactionErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'
import { sendRawTransaction } from './sendRawTransaction.ts'

const sums = { coinbaseDiff: DecimalString, ethSentToCoinbase: DecimalString, gasFees: DecimalString }
const exampleSums = { coinbaseDiff: '21000000000000', ethSentToCoinbase: '0', gasFees: '21000000000000' }

export const callBundle = defineMethod({
  name: 'eth_callBundle',
  summary: "Executes signed transactions in order in one block, as Flashbots' relay does, without sending them.",
  role: 'read',
  isSlow: true,
  params: { bundle: CallBundle },
  result: z.object({
    ...sums,
    bundleHash: HexWord,
    bundleGasPrice: DecimalString,
    stateBlockNumber: z.number(),
    totalGasUsed: z.number(),
    results: z.array(
      z.object({
        ...sums,
        txHash: HexWord,
        fromAddress: HexAddress,
        toAddress: HexAddress.nullable(),
        gasPrice: DecimalString,
        gasUsed: z.number(),
        value: HexBytes.optional(),
        error: z.string().optional(),
        revert: HexBytes.optional(),
      }),
    ),
  }),
  errors: [...blockErrors, ...transactionErrors, 'LIMIT_EXCEEDED'],
  example: {
    params: [{ txs: [sendRawTransaction.example.params[0]], blockNumber: '0x1', stateBlockNumber: 'latest' }],
    result: {
      ...exampleSums,
      bundleHash: '0x3ffc0d8a06d8ff03ea2a0ca8cd5dc1c0ec0d1b5b3b8a57a1dc2e3b7b2f7f4f5b',
      bundleGasPrice: '1000000000',
      stateBlockNumber: 0,
      totalGasUsed: 21000,
      results: [
        {
          ...exampleSums,
          txHash: exampleTransaction.hash,
          fromAddress: exampleTransaction.from,
          toAddress: exampleTransaction.to,
          gasPrice: '1875000000',
          gasUsed: 21000,
          value: '0x',
        },
      ],
    },
  },
  async handler({ simulation, history }, { bundle: { request, state } }) {
    const { number } = await history.resolve(state)
    return encodeBundle(await simulation.callBundle(request, state), number)
  },
})
