import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { requireKnown } from '../../encode/tenderly/decoded.ts'

export const getAbiOfContract = defineMethod({
  name: 'tenderly_getContractAbi',
  summary: 'Returns the ABI of a contract, as dev_getContractAbi finds it.',
  role: 'read',
  isSlow: true,
  params: { address: Address },
  result: z.array(z.record(z.string(), z.unknown())),
  fields: {
    address: 'The contract.',
  },
  errors: ['NOT_FOUND'],
  example: {
    params: ['0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'],
    result: [
      { type: 'function', name: 'totalSupply', inputs: [], outputs: [{ type: 'uint256' }], stateMutability: 'view' },
    ],
  },
  async handler({ knowledge }, { address }) {
    const { known } = await knowledge.describe(address)
    return [...requireKnown('contract with a known ABI', address, known).abi.items] as Record<string, unknown>[]
  },
})
