import { UserOperation } from '../../codecs/calls/userOperation.ts'
import { Address } from '../../codecs/hex.ts'
import { HexWord } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { sendErrors, userOperationErrors } from '../../errorGroups.ts'
import { exampleOperationHash, exampleOperationParams } from '../../examples.ts'

export const sendUserOperation = defineMethod({
  name: 'eth_sendUserOperation',
  summary:
    'Validates a user operation (ERC-4337) and sends it to its entry point in a transaction of its own. Returns its hash.',
  role: 'write',
  params: { userOperation: UserOperation, entryPoint: Address },
  result: HexWord,
  errors: [...userOperationErrors, 'USER_OPERATION_BREAKS_RULES', ...sendErrors],
  example: { params: exampleOperationParams, result: exampleOperationHash },
  handler: ({ userOperations }, { userOperation, entryPoint }) => userOperations.send(userOperation, entryPoint),
})
