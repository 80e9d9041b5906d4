import { chain } from '../../../shared/async/maybePromise.ts'
import { quantity } from '../../../shared/hex.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { Address } from '../../codecs/hex.ts'
import { withDefault } from '../../codecs/optional.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'

export const getBalance = defineMethod({
  name: 'eth_getBalance',
  summary: 'Returns the balance of an account, in wei.',
  role: 'read',
  params: { address: Address, block: withDefault(BlockTag, 'latest') },
  result: HexQuantity,
  errors: blockErrors,
  example: { params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'latest'], result: '0x21e19e0c9bab2400000' },
  handler: ({ reads }, { address, block }) => chain(reads.loadBalance(address, block), quantity),
})
