import { hexFromBytes, quantity } from '../../../shared/hex.ts'
import { BlockTag } from '../../codecs/blockTag.ts'
import { Address } from '../../codecs/hex.ts'
import { Quantity64 } from '../../codecs/numbers.ts'
import { defineMethod } from '../../defineMethod.ts'
import { replayErrors } from '../../errorGroups.ts'
import { exampleTransaction } from '../../examples.ts'
import { getAccountInfo } from '../eth/getAccountInfo.ts'

export const accountInfoAt = defineMethod({
  name: 'debug_accountInfoAt',
  summary: 'Returns an account as it was after a transaction of a block, or null if there is no such transaction.',
  role: 'read',
  isSlow: true,
  params: { block: BlockTag, index: Quantity64, address: Address },
  result: getAccountInfo.result.nullable(),
  errors: replayErrors,
  example: { params: ['0x1', '0x0', exampleTransaction.to], result: getAccountInfo.example.result },
  async handler({ traces }, { block, index, address }) {
    const account = await traces.loadAccountAfter(address, block, index)
    if (!account) return null
    const { balance, nonce, code } = account
    return { balance: quantity(balance), nonce: quantity(nonce), code: hexFromBytes(code) }
  },
})
