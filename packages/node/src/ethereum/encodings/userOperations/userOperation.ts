import type { Address, Hex, Word } from '@understudy/evm'
import { concatHex, decodeFunctionData, encodeFunctionData, sliceHex } from 'viem'
import {
  getUserOperationHash,
  toPackedUserOperation,
  type UserOperation as ViemOperation,
} from 'viem/account-abstraction'
import type { SignedAuthorization } from '../../authorization.ts'
import type { EntryPoint } from './entryPoints.ts'

/** An operation of a smart account, in one form for all versions of the entry point. Gas limits in gas, fees in wei per gas. */
export type UserOperation = {
  sender: Address
  nonce: bigint
  /** What creates the account; `delegationMarker` if the account delegates to its code (EIP-7702). */
  factory: Address | undefined
  factoryData: Hex
  callData: Hex
  callGasLimit: bigint
  verificationGasLimit: bigint
  preVerificationGas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** Its gas limits are 0 for version 0.6, which has none. */
  paymaster: { address: Address; data: Hex; verificationGasLimit: bigint; postOpGasLimit: bigint } | undefined
  signature: Hex
  /** The account's delegation, set in the transaction that runs the operation. */
  authorization: SignedAuthorization | undefined
}

/** Stands for a factory where the account is one of EIP-7702. */
export const delegationMarker: Address = '0x7702000000000000000000000000000000000000'

/** The fields of an operation by the names of its version, without the authorization. */
export type VersionedFields = Record<string, Hex | bigint>

/** The fields as a version of the entry point names them. Absent ones are left out. */
export function versionedFields(operation: UserOperation, { version }: EntryPoint): VersionedFields {
  const { factory, factoryData, paymaster, authorization: _, ...fields } = operation
  if (version === '0.6')
    return {
      ...fields,
      initCode: factory ? concatHex([factory, factoryData]) : '0x',
      paymasterAndData: paymaster ? concatHex([paymaster.address, paymaster.data]) : '0x',
    }
  return {
    ...fields,
    ...(factory && { factory, factoryData }),
    ...(paymaster && {
      paymaster: paymaster.address,
      paymasterVerificationGasLimit: paymaster.verificationGasLimit,
      paymasterPostOpGasLimit: paymaster.postOpGasLimit,
      paymasterData: paymaster.data,
    }),
  }
}

function viemOperation(operation: UserOperation, entryPoint: EntryPoint): ViemOperation {
  const { authorization } = operation
  return {
    ...versionedFields(operation, entryPoint),
    ...(authorization && { authorization }),
  } as unknown as ViemOperation
}

/** The call of the entry point that runs one operation, and pays `beneficiary` for it. */
export function encodeBundle(operation: UserOperation, entryPoint: EntryPoint, beneficiary: Address): Hex {
  const fields = viemOperation(operation, entryPoint)
  const encoded = entryPoint.version === '0.6' ? fields : toPackedUserOperation(fields)
  return encodeFunctionData({ abi: entryPoint.abi, functionName: 'handleOps', args: [[encoded], beneficiary] })
}

/** The operations of a call of `handleOps`; none if it is another call. */
export function decodeBundle(data: Hex, { abi, version }: EntryPoint): UserOperation[] {
  try {
    const { functionName, args } = decodeFunctionData({ abi, data })
    if (functionName !== 'handleOps') return []
    const [operations] = args as [(PackedOperation & Operation06)[]]
    return operations.map((operation) => (version === '0.6' ? from06(operation) : fromPacked(operation)))
  } catch {
    return []
  }
}

export function userOperationHash(operation: UserOperation, entryPoint: EntryPoint, chainId: bigint): Word {
  return getUserOperationHash({
    chainId: Number(chainId),
    entryPointAddress: entryPoint.address,
    entryPointVersion: entryPoint.version,
    userOperation: viemOperation(operation, entryPoint),
  })
}

type Shared = { sender: Address; nonce: bigint; initCode: Hex; callData: Hex; preVerificationGas: bigint } & {
  paymasterAndData: Hex
  signature: Hex
}
type Operation06 = Shared &
  Pick<UserOperation, 'callGasLimit' | 'verificationGasLimit' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>
type PackedOperation = Shared & { accountGasLimits: Hex; gasFees: Hex }

function sharedFields({ sender, nonce, initCode, callData, preVerificationGas, signature }: Shared) {
  return {
    sender: sender.toLowerCase() as Address,
    nonce,
    ...splitInitCode(initCode),
    callData,
    preVerificationGas,
    signature,
    authorization: undefined,
  }
}

function from06(operation: Operation06): UserOperation {
  const { callGasLimit, verificationGasLimit, maxFeePerGas, maxPriorityFeePerGas, paymasterAndData } = operation
  const gas = { callGasLimit, verificationGasLimit, maxFeePerGas, maxPriorityFeePerGas }
  return { ...sharedFields(operation), ...gas, paymaster: splitPaymaster(paymasterAndData) }
}

function fromPacked(operation: PackedOperation): UserOperation {
  const { accountGasLimits, gasFees, paymasterAndData } = operation
  const hasPaymaster = paymasterAndData.length >= 2 + 2 * 52
  return {
    ...sharedFields(operation),
    verificationGasLimit: halves(accountGasLimits)[0],
    callGasLimit: halves(accountGasLimits)[1],
    maxPriorityFeePerGas: halves(gasFees)[0],
    maxFeePerGas: halves(gasFees)[1],
    paymaster: hasPaymaster
      ? {
          address: addressAt(paymasterAndData),
          verificationGasLimit: halves(sliceHex(paymasterAndData, 20, 52))[0],
          postOpGasLimit: halves(sliceHex(paymasterAndData, 20, 52))[1],
          data: restAfter(paymasterAndData, 52),
        }
      : undefined,
  }
}

/** What `initCode` of version 0.6 holds. */
export function splitInitCode(initCode: Hex): Pick<UserOperation, 'factory' | 'factoryData'> {
  if (initCode.length < 2 + 2 * 20) return { factory: undefined, factoryData: '0x' }
  return { factory: addressAt(initCode), factoryData: restAfter(initCode, 20) }
}

/** What `paymasterAndData` of version 0.6 holds. */
export function splitPaymaster(paymasterAndData: Hex): UserOperation['paymaster'] {
  if (paymasterAndData.length < 2 + 2 * 20) return undefined
  const data = restAfter(paymasterAndData, 20)
  return { address: addressAt(paymasterAndData), data, verificationGasLimit: 0n, postOpGasLimit: 0n }
}

const addressAt = (bytes: Hex) => sliceHex(bytes, 0, 20).toLowerCase() as Address
const restAfter = (bytes: Hex, count: number): Hex => `0x${bytes.slice(2 + 2 * count)}`
const halves = (word: Hex): [bigint, bigint] => [BigInt(sliceHex(word, 0, 16)), BigInt(sliceHex(word, 16, 32))]
