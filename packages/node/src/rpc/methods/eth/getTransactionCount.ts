import { chain } from '../../../shared/async/maybePromise.ts'
import { quantity } from '../../../shared/hex.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { Address } from '../../codecs/hex.ts'
import { withDefault } from '../../codecs/optional.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { blockErrors } from '../../errorGroups.ts'

export const getTransactionCount = defineMethod({
  name: 'eth_getTransactionCount',
  summary: 'Returns the nonce of an account. For the pending block, counts pending transactions.',
  role: 'read',
  readsPool: 'when pending',
  params: { address: Address, block: withDefault(BlockTag, 'latest') },
  result: HexQuantity,
  errors: blockErrors,
  example: { params: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'latest'], result: '0x0' },
  handler: ({ submission, reads }, { address, block }) =>
    chain(block === 'pending' ? submission.pendingNonce(address) : reads.loadNonce(address, block), quantity),
})
