import { z } from 'zod'
import { Address } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'

export const watchAsset = defineMethod({
  name: 'wallet_watchAsset',
  summary:
    'Returns true: the dashboard shows all tokens, so none has to be added (EIP-747). Takes its parameters by name.',
  role: 'read',
  params: { type: z.enum(['ERC20', 'ERC721', 'ERC1155']), options: z.looseObject({ address: Address }) },
  result: z.literal(true),
  example: {
    params: ['ERC20', { address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', symbol: 'WETH', decimals: 18 }],
    result: true,
  },
  handler: () => true as const,
})
