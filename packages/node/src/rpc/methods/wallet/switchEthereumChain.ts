import { z } from 'zod'
import { NetworkError } from '../../../shared/errors.ts'
import { ChainId } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'
import type { Services } from '../../services.ts'

const chain = z.looseObject({ chainId: ChainId })

const definition = {
  role: 'read',
  params: { chain },
  result: z.null(),
  errors: ['WALLET_CHAIN_UNKNOWN'],
  example: { params: [{ chainId: '0x7a69' }], result: null },
  handler({ history }: Services, { chain: { chainId } }: { chain: { chainId: bigint } }) {
    if (chainId === history.chainId) return null
    throw new NetworkError('WALLET_CHAIN_UNKNOWN', { chainId, own: history.chainId })
  },
} as const

export const switchEthereumChain = defineMethod({
  name: 'wallet_switchEthereumChain',
  summary: "Returns null for the network's own chain id, which is the only one (EIP-3326).",
  ...definition,
})

export const addEthereumChain = defineMethod({
  name: 'wallet_addEthereumChain',
  summary: "Returns null for the network's own chain id, which is the only one (EIP-3085).",
  ...definition,
})
