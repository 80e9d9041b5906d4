import { quantity } from '../../../shared/hex.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { BlockOverrides, StateOverrides } from '../../codecs/calls/overrides.ts'
import { optional, withDefault } from '../../codecs/optional.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { callErrors } from '../../errorGroups.ts'

/** Without a block, estimates on the next block, where the transaction will run. */
export const estimateGas = defineMethod({
  name: 'eth_estimateGas',
  summary: 'Returns the lowest gas limit with which a transaction succeeds.',
  role: 'read',
  readsPool: 'by default',
  params: {
    request: CallRequest,
    block: withDefault(BlockTag, 'pending'),
    stateOverrides: optional(StateOverrides),
    blockOverrides: optional(BlockOverrides),
  },
  result: HexQuantity,
  errors: callErrors,
  example: {
    params: [{ to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', value: '0x1' }],
    result: '0x5208',
  },
  async handler({ history, execution }, { request, block, stateOverrides, blockOverrides }) {
    const point = await history.at(block)
    return quantity(await execution.estimateGas(request, point, { state: stateOverrides, block: blockOverrides }))
  },
})
