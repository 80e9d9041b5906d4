import type { Output } from '../../../shared/engine.ts'
import { hexFromBytes } from '../../../shared/hex.ts'
import { LongText, longText } from '../../../shared/json/longText.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { BlockOverrides, StateOverrides } from '../../codecs/calls/overrides.ts'
import { optional, withDefault } from '../../codecs/optional.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

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
  example: {
    params: [{ to: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', data: '0x313ce567' }, 'latest'],
    result: '0x0000000000000000000000000000000000000000000000000000000000000012',
  },
  async handler({ history, execution }, { request, block, stateOverrides, blockOverrides }) {
    const point = await history.at(block)
    const { output } = await execution.call(request, point, { state: stateOverrides, block: blockOverrides })
    const hex = hexFromBytes(output)
    // Hex needs no escapes: in parts, a long one is copied once less.
    return hex.length < longText ? hex : new LongText(['"', hex, '"'])
  },
  answerNow({ history, execution }, { request, block, stateOverrides, blockOverrides }, { bytes, ...options }) {
    const point = stateOverrides || blockOverrides ? undefined : history.resident.point(block)
    const output = point && execution.callNow(request, point, options)
    const textOf = (output: Output) => (output && 2 * output.length < bytes ? `"${hexFromBytes(output)}"` : undefined)
    return output instanceof Promise ? output.then(textOf) : textOf(output)
  },
})
