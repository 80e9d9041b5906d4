import type { Hex } from '@understudy/evm'
import { z } from 'zod'
import {
  delegationMarker,
  type UserOperation as Operation,
  splitInitCode,
  splitPaymaster,
} from '../../../ethereum/encodings/userOperations/userOperation.ts'
import { codec } from '../../../shared/codec.ts'
import { Address, BytesAsHex } from '../hex.ts'
import { Quantity, Quantity64, quantityUpTo } from '../numbers.ts'
import { optional, withDefault } from '../optional.ts'
import { Authorization } from './authorization.ts'

/** Entry points keep prices in 16 bytes. */
const Price = quantityUpTo(2n ** 128n - 1n, 'a quantity (0x-hex or decimal digits, at most 16 bytes)', {
  title: 'Price',
})

/** An address, or `0x7702` for an account that delegates to its code. */
const Factory = codec<string, Hex>(
  'a 20-byte 0x-hex address, or 0x7702',
  (input) => {
    if (input === '0x7702') return delegationMarker
    const address = Address.safeParse(input)
    return address.success ? address.data : undefined
  },
  { title: 'Factory', type: 'string', pattern: '^0x([0-9a-fA-F]{40}|7702)$' },
)

const noBytes: Hex = '0x'

/** The fields of both layouts: 0.6, and 0.7 and later. `gas` is the schema of a gas limit. */
const operationWith = (
  gas: z.ZodType<bigint, string | number | null | undefined>,
  title: string,
  description: string,
) =>
  z
    .strictObject({
      sender: Address,
      nonce: Quantity,
      callData: withDefault(BytesAsHex, noBytes),
      callGasLimit: gas,
      verificationGasLimit: gas,
      preVerificationGas: gas,
      maxFeePerGas: withDefault(Price, 0n),
      maxPriorityFeePerGas: withDefault(Price, 0n),
      signature: withDefault(BytesAsHex, noBytes),
      initCode: optional(BytesAsHex),
      paymasterAndData: optional(BytesAsHex),
      factory: optional(Factory),
      factoryData: withDefault(BytesAsHex, noBytes),
      paymaster: optional(Address),
      paymasterData: withDefault(BytesAsHex, noBytes),
      paymasterVerificationGasLimit: withDefault(Quantity64, 0n),
      paymasterPostOpGasLimit: withDefault(Quantity64, 0n),
      eip7702Auth: optional(Authorization),
    })
    .check(({ value, issues }) => {
      const refuse = (field: string, message: string) =>
        issues.push({ code: 'custom', input: value, path: [field], message })
      if (value.initCode && value.factory)
        refuse('factory', 'conflicts with initCode, of version 0.6; pass one of them')
      if (value.paymasterAndData && value.paymaster)
        refuse('paymaster', 'conflicts with paymasterAndData, of version 0.6; pass one of them')
    })
    .transform(({ initCode, factory, factoryData, paymasterAndData, paymaster, eip7702Auth, ...given }): Operation => {
      const { paymasterData, paymasterVerificationGasLimit, paymasterPostOpGasLimit, ...fields } = given
      const named = paymaster && {
        address: paymaster,
        data: paymasterData,
        verificationGasLimit: paymasterVerificationGasLimit,
        postOpGasLimit: paymasterPostOpGasLimit,
      }
      return {
        ...fields,
        ...(initCode ? splitInitCode(initCode) : { factory, factoryData }),
        paymaster: paymasterAndData ? splitPaymaster(paymasterAndData) : named,
        authorization: eip7702Auth,
      }
    })
    .meta({ title, description })

const fieldNames =
  'sender, nonce, callData, callGasLimit, verificationGasLimit, preVerificationGas, maxFeePerGas, maxPriorityFeePerGas, signature; for EntryPoint 0.6 initCode and paymasterAndData; for later ones factory, factoryData, paymaster, paymasterData, paymasterVerificationGasLimit, paymasterPostOpGasLimit; eip7702Auth'

/** A user operation to send. */
export const UserOperation = operationWith(Quantity64, 'UserOperation', `a user operation of ERC-4337: ${fieldNames}`)

/** A user operation whose gas limits are not known yet. */
export const UserOperationDraft = operationWith(
  withDefault(Quantity64, 0n),
  'UserOperationDraft',
  `a user operation of ERC-4337, without some or all gas limits: ${fieldNames}`,
)
