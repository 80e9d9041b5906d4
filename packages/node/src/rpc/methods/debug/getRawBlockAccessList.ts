import { NetworkError } from '../../../shared/errors.ts'
import { quantity } from '../../../shared/hex.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getRawBlockAccessList = defineMethod({
  name: 'debug_getRawBlockAccessList',
  summary:
    'Returns the RLP of the block access list of an upstream block (EIP-7928), if its fork has them. Local blocks have none.',
  role: 'read',
  params: { block: BlockTag },
  result: HexBytes,
  example: { params: ['0x1'], result: '0xc0' },
  async handler({ history, traces }, { block }) {
    const { origin, number, hash } = await history.resolve(block)
    const list = origin === 'upstream' ? await traces.ask('debug_getRawBlockAccessList', [quantity(number)]) : undefined
    if (typeof list === 'string') return list as `0x${string}`
    throw new NetworkError('UNSUPPORTED', { what: `an access list of block ${hash}: its fork has none (EIP-7928)` })
  },
})
