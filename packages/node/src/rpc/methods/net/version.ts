import { DecimalString } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const version = defineMethod({
  name: 'net_version',
  aliases: ['eth_networkId'],
  summary: 'Returns the chain id in decimal.',
  role: 'read',
  params: {},
  result: DecimalString,
  example: { params: [], result: '1' },
  handler: ({ history }) => history.chainId.toString(),
})
