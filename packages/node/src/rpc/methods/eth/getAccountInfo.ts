import { z } from 'zod'
import { hexFromBytes, quantity } from '../../../shared/hex.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { Address } from '../../codecs/hex.ts'
import { withDefault } from '../../codecs/optional.ts'
import { HexBytes, HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'

export const getAccountInfo = defineMethod({
  name: 'eth_getAccountInfo',
  summary: 'Returns the balance, nonce and code of an account.',
  role: 'read',
  params: { address: Address, block: withDefault(BlockTag, 'latest') },
  result: z.object({ balance: HexQuantity, nonce: HexQuantity, code: HexBytes }),
  errors: blockErrors,
  example: {
    params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'latest'],
    result: { balance: '0x21e19e0c9bab2400000', nonce: '0x0', code: '0x' },
  },
  async handler({ reads }, { address, block }) {
    const [balance, nonce, code] = await Promise.all([
      reads.loadBalance(address, block),
      reads.loadNonce(address, block),
      reads.loadCode(address, block),
    ])
    return { balance: quantity(balance), nonce: quantity(nonce), code: hexFromBytes(code) }
  },
})
