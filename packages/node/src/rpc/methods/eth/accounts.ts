import { z } from 'zod'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'

export const accounts = defineMethod({
  name: 'eth_accounts',
  aliases: ['eth_requestAccounts', 'personal_listAccounts'],
  summary: 'Returns the funded accounts, whose keys the network holds.',
  role: 'read',
  params: {},
  result: z.array(HexAddress),
  example: { params: [], result: ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'] },
  handler: ({ senders }) => senders.funded(),
})
