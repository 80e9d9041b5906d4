import { chain } from '../../../shared/async/maybePromise.ts'
import { wordFromBigint } from '../../../shared/hex.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { Address } from '../../codecs/hex.ts'
import { Slot } from '../../codecs/numbers.ts'
import { withDefault } from '../../codecs/optional.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'

export const getStorageAt = defineMethod({
  name: 'eth_getStorageAt',
  summary: 'Returns the value of a storage slot.',
  role: 'read',
  params: { address: Address, slot: Slot, block: withDefault(BlockTag, 'latest') },
  result: HexWord,
  errors: blockErrors,
  example: {
    params: ['0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', '0x2', 'latest'],
    result: '0x0000000000000000000000000000000000000000000000000000000000000012',
  },
  handler: ({ reads }, { address, slot, block }) => chain(reads.loadStorage(address, slot, block), wordFromBigint),
})
