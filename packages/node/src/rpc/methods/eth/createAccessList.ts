import { z } from 'zod'
import { zeroWord } from '../../../ethereum/constants.ts'
import { quantity } from '../../../shared/hex.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { StateOverrides } from '../../codecs/calls/overrides.ts'
import { optional, withDefault } from '../../codecs/optional.ts'
import { HexAddress, HexQuantity, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { tracedCallErrors } from '../../errorGroups.ts'

export const createAccessList = defineMethod({
  name: 'eth_createAccessList',
  summary: 'Returns the accounts and slots that a message accesses as an access list, and the gas used with that list.',
  role: 'read',
  params: {
    request: CallRequest,
    block: withDefault(BlockTag, 'latest'),
    stateOverrides: optional(StateOverrides),
  },
  result: z.object({
    accessList: z.array(z.object({ address: HexAddress, storageKeys: z.array(HexWord) })),
    gasUsed: HexQuantity,
    error: z.string().optional(),
  }),
  errors: tracedCallErrors,
  example: {
    params: [{ to: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', data: '0x06fdde03' }, 'latest'],
    result: {
      accessList: [{ address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', storageKeys: [zeroWord] }],
      gasUsed: '0x6a2c',
    },
  },
  async handler({ traces }, { request, block, stateOverrides }) {
    const { accessList, gasUsed, error } = await traces.createAccessList(request, block, { state: stateOverrides })
    const list = accessList.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] }))
    return { accessList: list, gasUsed: quantity(gasUsed), ...(error !== undefined && { error }) }
  },
})
