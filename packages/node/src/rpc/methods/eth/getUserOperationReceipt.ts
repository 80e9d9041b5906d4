import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { HexAddress, HexBytes, HexQuantity, HexWord, LogObject, ReceiptObject } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeOperationReceipt } from '../../encode/runs/userOperation.ts'
import { exampleOperationHash, exampleOperationReceipt } from '../../examples.ts'

export const getUserOperationReceipt = defineMethod({
  name: 'eth_getUserOperationReceipt',
  summary: 'Returns the outcome of a user operation that was sealed by this network, or null if there is none yet.',
  role: 'read',
  params: { hash: Hash },
  result: z
    .object({
      userOpHash: HexWord,
      entryPoint: HexAddress,
      sender: HexAddress,
      nonce: HexQuantity,
      paymaster: HexAddress.nullable(),
      actualGasCost: HexQuantity,
      actualGasUsed: HexQuantity,
      success: z.boolean(),
      reason: HexBytes.optional(),
      logs: z.array(LogObject),
      receipt: ReceiptObject,
    })
    .nullable(),
  example: { params: [exampleOperationHash], result: exampleOperationReceipt },
  async handler({ userOperations }, { hash }) {
    const found = await userOperations.loadOperationReceipt(hash)
    return found ? encodeOperationReceipt(found) : null
  },
})
