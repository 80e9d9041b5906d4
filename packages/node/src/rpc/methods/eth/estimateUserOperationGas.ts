import { z } from 'zod'
import { quantity } from '../../../shared/hex.ts'
import { StateOverrides } from '../../codecs/calls/overrides.ts'
import { UserOperationDraft } from '../../codecs/calls/userOperation.ts'
import { Address } from '../../codecs/hex.ts'
import { optional } from '../../codecs/optional.ts'
import { HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { runErrors, userOperationErrors } from '../../errorGroups.ts'
import { exampleOperationParams } from '../../examples.ts'

export const estimateUserOperationGas = defineMethod({
  name: 'eth_estimateUserOperationGas',
  summary: 'Returns gas limits with which a user operation succeeds. Its signature need not be valid.',
  role: 'read',
  readsPool: 'always',
  params: { userOperation: UserOperationDraft, entryPoint: Address, stateOverrides: optional(StateOverrides) },
  result: z.object({
    preVerificationGas: HexQuantity,
    verificationGasLimit: HexQuantity,
    callGasLimit: HexQuantity,
    paymasterVerificationGasLimit: HexQuantity.optional(),
    paymasterPostOpGasLimit: HexQuantity.optional(),
  }),
  errors: [...userOperationErrors, 'USER_OPERATION_CALL_REVERTED', ...runErrors],
  example: {
    params: exampleOperationParams,
    result: { preVerificationGas: '0xc350', verificationGasLimit: '0xea60', callGasLimit: '0x1388' },
  },
  async handler({ userOperations }, { userOperation, entryPoint, stateOverrides }) {
    const { paymaster, ...gas } = await userOperations.estimate(userOperation, entryPoint, stateOverrides)
    return {
      preVerificationGas: quantity(gas.preVerificationGas),
      verificationGasLimit: quantity(gas.verificationGasLimit),
      callGasLimit: quantity(gas.callGasLimit),
      ...(paymaster && {
        paymasterVerificationGasLimit: quantity(paymaster.verificationGasLimit),
        paymasterPostOpGasLimit: quantity(paymaster.postOpGasLimit),
      }),
    }
  },
})
