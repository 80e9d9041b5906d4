import type { Hex } from '@understudy/evm'
import { chain } from '../../../shared/async/maybePromise.ts'
import { hexFromBytes } from '../../../shared/hex.ts'
import { LongText, longText } from '../../../shared/json/jsonText.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { BlockOverrides, StateOverrides } from '../../codecs/calls/overrides.ts'
import { optional, withDefault } from '../../codecs/optional.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { callErrors } from '../../errorGroups.ts'

export const call = defineMethod({
  name: 'eth_call',
  summary: 'Executes a message on the state of a block and returns its data; nothing is stored.',
  role: 'read',
  params: {
    request: CallRequest,
    block: withDefault(BlockTag, 'latest'),
    stateOverrides: optional(StateOverrides),
    blockOverrides: optional(BlockOverrides),
  },
  result: HexBytes,
  errors: callErrors,
  example: {
    params: [{ to: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', data: '0x313ce567' }, 'latest'],
    result: '0x0000000000000000000000000000000000000000000000000000000000000012',
  },
  handler({ history, execution }, { request, block, stateOverrides, blockOverrides }) {
    const overrides = stateOverrides || blockOverrides ? { state: stateOverrides, block: blockOverrides } : undefined
    return chain(
      chain(history.at(block), (point) => execution.call(request, point, overrides)),
      resultOf,
    )
  },
})

/** Hex needs no escapes: in parts, a long one is copied once less. */
function resultOf(output: Uint8Array): Hex | LongText {
  const hex = hexFromBytes(output)
  return hex.length < longText ? hex : new LongText(['"', hex, '"'])
}
