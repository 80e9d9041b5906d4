import { rightsOf } from '../../caller.ts'
import { BytesAsHex } from '../../codecs/hex.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { submissionErrors } from '../../errorGroups.ts'

export const sendRawTransaction = defineMethod({
  name: 'eth_sendRawTransaction',
  summary: 'Sends a signed transaction and returns its hash.',
  role: 'write',
  params: { transaction: BytesAsHex },
  result: HexWord,
  errors: ['DEPOSIT_REFUSED', ...submissionErrors],
  example: {
    params: [
      '0x02f874827a6980843b9aca0084a3e9ab808252089470997970c51812dc3a010c7d01b50e0d17dc79c8880de0b6b3a764000080c001a0b133aa1a53e32ed551ba8063395580141fad61f3f390613b5b07a1eb504a33c4a02d16c21394cac9512570d800714f621077ce7f0ffa8990b53f3e07bb8a8c70f9',
    ],
    result: '0xa0df00d5d4e49d19e22c585ba08fd56f4df8fcca6c3493646a4eaa6ef687e784',
  },
  handler: ({ submission }, { transaction }, caller) => submission.submitRaw(transaction, rightsOf(caller)),
  // Transactions are known by their hash: sent twice, they are sealed once.
  findResult: ({ submission }, { transaction }) => submission.findSent(transaction),
})
