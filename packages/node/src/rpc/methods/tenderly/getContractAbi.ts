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
  errors: ['NOT_FOUND'],
  example: {
    params: ['0x5fbdb2315678afecb367f032d93f642f64180aa3'],
    result: [{ type: 'function', name: 'increment', inputs: [], outputs: [], stateMutability: 'nonpayable' }],
  },
  async handler({ knowledge }, { address }) {
    const { known } = await knowledge.describe(address)
    return [...requireKnown('contract with a known ABI', address, known).abi.items] as Record<string, unknown>[]
  },
})
