import { defineMethod } from '../../defineMethod.ts'
import { encodeGasFees, TenderlyGasFees } from '../../encode/tenderly/gasFees.ts'

export const suggestGasFee = defineMethod({
  name: 'tenderly_suggestGasFee',
  aliases: ['tenderly_gasPrice'],
  summary:
    'Returns three offers of fees for a transaction, in wei per gas, by the tips of the latest 20 blocks, with the time of the blocks in which each is sealed on the live chain, in milliseconds. Here, the next block accepts all of them.',
  role: 'read',
  params: {},
  result: TenderlyGasFees,
  example: {
    params: [],
    result: {
      currentBlockNumber: '0x2a',
      baseFeePerGas: '0x3b9aca00',
      price: {
        low: { maxPriorityFeePerGas: '0x5f5e100', maxFeePerGas: '0x7d2b7500', waitTime: 36000 },
        medium: { maxPriorityFeePerGas: '0x3b9aca00', maxFeePerGas: '0xb2d05e00', waitTime: 24000 },
        high: { maxPriorityFeePerGas: '0x77359400', maxFeePerGas: '0xee6b2800', waitTime: 12000 },
      },
    },
  },
  handler: async ({ submission, info }) => encodeGasFees(await submission.suggestFees(), info().chain.blockTimeMs),
})
