import { z } from 'zod'
import { quantity } from '../../../shared/hex.ts'
import { UserOperationDraft } from '../../codecs/calls/userOperation.ts'
import { Address } from '../../codecs/hex.ts'
import { ChainId } from '../../codecs/numbers.ts'
import { optional } from '../../codecs/optional.ts'
import { HexAddress, HexBytes, HexQuantity } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleOperationParams } from '../../examples.ts'
import type { Services } from '../../services.ts'

const params = {
  userOperation: UserOperationDraft,
  entryPoint: Address,
  chainId: ChainId,
  context: optional(z.record(z.string(), z.unknown())),
}
const example = { params: [...exampleOperationParams, '0x7a69', {}] }

/** The fields of the entry point's version. */
const result = z.object({
  paymasterAndData: HexBytes.optional(),
  paymaster: HexAddress.optional(),
  paymasterData: HexBytes.optional(),
  paymasterVerificationGasLimit: HexQuantity.optional(),
  paymasterPostOpGasLimit: HexQuantity.optional(),
})
const exampleFields = {
  paymaster: '0x4337000000000000000000000000000000007677',
  paymasterData: '0x',
  paymasterVerificationGasLimit: '0x7530',
  paymasterPostOpGasLimit: '0x1',
}

async function sponsoredFields({ userOperations }: Services, entryPoint: `0x${string}`, chainId: bigint) {
  const { address, version, verificationGas } = await userOperations.sponsor(entryPoint, chainId)
  if (version === '0.6') return { paymasterAndData: address }
  return {
    paymaster: address,
    paymasterData: '0x' as const,
    paymasterVerificationGasLimit: quantity(verificationGas),
    // It has nothing to do after an operation.
    paymasterPostOpGasLimit: quantity(1),
  }
}

export const getPaymasterStubData = defineMethod({
  name: 'pm_getPaymasterStubData',
  summary:
    "Returns the fields with which this network's paymaster pays for a user operation (ERC-7677). They are final: the paymaster pays for every operation.",
  role: 'write',
  params,
  result: result.extend({ sponsor: z.object({ name: z.string() }), isFinal: z.boolean() }),
  errors: ['ENTRY_POINT_UNSUPPORTED', 'ENTRY_POINT_NOT_DEPLOYED'],
  example: { ...example, result: { ...exampleFields, sponsor: { name: 'Understudy' }, isFinal: true } },
  handler: async (services, { entryPoint, chainId }) => ({
    ...(await sponsoredFields(services, entryPoint, chainId)),
    sponsor: { name: 'Understudy' },
    isFinal: true,
  }),
})

export const getPaymasterData = defineMethod({
  name: 'pm_getPaymasterData',
  summary: "Returns the fields with which this network's paymaster pays for a user operation (ERC-7677).",
  role: 'write',
  params,
  result,
  errors: ['ENTRY_POINT_UNSUPPORTED', 'ENTRY_POINT_NOT_DEPLOYED'],
  example: { ...example, result: exampleFields },
  handler: (services, { entryPoint, chainId }) => sponsoredFields(services, entryPoint, chainId),
})
