import { z } from 'zod'
import { quantity } from '../../../shared/hex.ts'
import { Address } from '../../codecs/hex.ts'
import { ChainId } from '../../codecs/numbers.ts'
import { optional } from '../../codecs/optional.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getCapabilities = defineMethod({
  name: 'wallet_getCapabilities',
  summary:
    'Returns whether an account can send several calls as one (EIP-5792): supported, ready (it is delegated then, as by EIP-7702), or unsupported.',
  role: 'read',
  params: { address: Address, chainIds: optional(z.array(ChainId)) },
  result: z.record(HexQuantity, z.object({ atomic: z.object({ status: z.string() }) })),
  example: {
    params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'],
    result: { '0x7a69': { atomic: { status: 'ready' } } },
  },
  async handler({ walletCalls, history }, { address, chainIds }) {
    if (chainIds && !chainIds.includes(history.chainId)) return {}
    return { [quantity(history.chainId)]: { atomic: { status: await walletCalls.atomicStatus(address) } } }
  },
})
