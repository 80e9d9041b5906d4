import { z } from 'zod'
import { NetworkError } from '../../../shared/errors.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { defineMethod } from '../../defineMethod.ts'

export const getBlockAccessList = defineMethod({
  name: 'eth_getBlockAccessList',
  summary:
    'Returns the block access list of an upstream block (EIP-7928), if its fork has them. Local blocks have none.',
  role: 'read',
  params: { block: BlockTag },
  result: z.unknown(),
  example: { params: ['0x1'], result: [] },
  async handler({ history, traces }, { block }) {
    const { origin, hash } = await history.resolve(block)
    const list = origin === 'upstream' ? await traces.ask('eth_getBlockAccessList', [hash]) : undefined
    if (list !== undefined && list !== null) return list
    throw new NetworkError('UNSUPPORTED', { what: `an access list of block ${hash}: its fork has none (EIP-7928)` })
  },
})
