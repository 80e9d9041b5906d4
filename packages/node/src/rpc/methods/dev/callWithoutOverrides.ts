import { hexFromBytes } from '../../../shared/hex.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { withDefault } from '../../codecs/optional.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { callErrors } from '../../errorGroups.ts'

export const callWithoutOverrides = defineMethod({
  name: 'dev_callWithoutOverrides',
  summary:
    'Executes a message like eth_call, but without function overrides: returns what the contracts themselves return.',
  role: 'read',
  params: { request: CallRequest, block: withDefault(BlockTag, 'latest') },
  result: HexBytes,
  fields: {
    request: 'The call, as of `eth_call`: amounts in wei, gas in units of gas.',
  },
  errors: callErrors,
  example: {
    params: [{ to: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', data: '0x313ce567' }, 'latest'],
    result: '0x0000000000000000000000000000000000000000000000000000000000000012',
  },
  async handler({ history, plainExecution }, { request, block }) {
    const output = await plainExecution.call(request, await history.at(block))
    return hexFromBytes(output)
  },
})
