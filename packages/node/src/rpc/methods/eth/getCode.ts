import { chain } from '../../../shared/async/maybePromise.ts'
import { hexFromBytes } from '../../../shared/hex.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { Address } from '../../codecs/hex.ts'
import { withDefault } from '../../codecs/optional.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'

export const getCode = defineMethod({
  name: 'eth_getCode',
  summary: 'Returns the code of an account, or 0x if it has none.',
  role: 'read',
  params: { address: Address, block: withDefault(BlockTag, 'latest') },
  result: HexBytes,
  errors: blockErrors,
  example: { params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'latest'], result: '0x' },
  handler: ({ reads }, { address, block }) => chain(reads.loadCode(address, block), hexFromBytes),
})
