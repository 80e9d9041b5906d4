import { z } from 'zod'
import { Hash } from '../../codecs/hex.ts'
import { HexAddress, HexQuantity, HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeUserOperation } from '../../encode/runs/userOperation.ts'
import { exampleOperationHash, exampleSentOperation } from '../../examples.ts'

export const getUserOperationByHash = defineMethod({
  name: 'eth_getUserOperationByHash',
  summary: 'Returns a user operation that was sealed by this network or waits for a block, or null if there is none.',
  role: 'read',
  readsPool: 'when null',
  params: { hash: Hash },
  result: z
    .object({
      userOperation: z.record(z.string(), z.unknown()),
      entryPoint: HexAddress,
      transactionHash: HexWord,
      blockHash: HexWord.nullable(),
      blockNumber: HexQuantity.nullable(),
    })
    .nullable(),
  example: { params: [exampleOperationHash], result: exampleSentOperation },
  async handler({ userOperations }, { hash }) {
    const found = await userOperations.loadOperation(hash)
    return found ? encodeUserOperation(found) : null
  },
})
