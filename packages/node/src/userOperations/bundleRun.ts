import { type Address, type Done, type OverrideTable, revertReason } from '@understudy/evm'
import { decodeErrorResult, type Hex } from 'viem'
import { delegationTarget } from '../ethereum/authorization.ts'
import { type OperationEvent, operationEvents } from '../ethereum/encodings/userOperations/entryPointEvents.ts'
import type { EntryPoint } from '../ethereum/encodings/userOperations/entryPoints.ts'
import { encodeBundle, type UserOperation } from '../ethereum/encodings/userOperations/userOperation.ts'
import type { CallOverrides, CallRequest, Execution, ExecutionPoint, Prepared } from '../execution/execution.ts'
import { runLoaded } from '../execution/run.ts'
import { currentTime } from '../shared/budget/requestBudget.ts'
import type { Engine } from '../shared/engine.ts'
import { type ErrorKind, NetworkError } from '../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import { type LoadingView, loadCode } from '../state/view.ts'

/** A run of `handleOps` that accepted its operation. The operation's own call may have failed. */
export type BundleRun = { result: Done; event: OperationEvent }

/** Runs an operation on a state, without sealing anything. Throws what `rejectionOf` returns. */
export type RunBundle = (
  operation: UserOperation,
  entryPoint: EntryPoint,
  at: ExecutionPoint,
  how?: { overrides?: CallOverrides; table?: OverrideTable; gas?: bigint },
) => Promise<BundleRun>

type Needs = {
  bundler: Address
  execution: Pick<Execution, 'prepare'>
  /** An engine that applies a table, or the one of the network. */
  engineWith(table: OverrideTable | undefined): Engine
}

export function createRunBundle(
  { callTimeout }: { callTimeout: number },
  { bundler, execution, engineWith }: Needs,
): RunBundle {
  return async (operation, entryPoint, at, { overrides, table, gas } = {}) => {
    const request = { ...bundleRequest(operation, entryPoint, bundler), ...(gas !== undefined && { gas }) }
    const { message, point }: Prepared = await execution.prepare(request, at, overrides)
    const result = await runLoaded(engineWith(table), message, point.block, point.view, {
      kind: 'call',
      time: currentTime(callTimeout * 1000),
    })
    if (result.status !== 'success') throw rejectionOf(result, entryPoint, await delegateNote(operation, point.view))
    const logs = result.logs.map(({ address, topics, data }) => ({ address, topics, data: hexFromBytes(data) }))
    const [ran] = operationEvents(logs, entryPoint.address)
    if (!ran) throw new NetworkError('USER_OPERATION_REJECTED', { reason: 'the entry point ran no operation' })
    return { result, event: ran.event }
  }
}

/** The gas of a bundle beside what its operation names: the entry point's own work. */
const bundleOverhead = 100_000n

/** The message of a bundle of one, without a price. */
export function bundleRequest(operation: UserOperation, entryPoint: EntryPoint, bundler: Address): CallRequest {
  const { authorization } = operation
  return {
    from: bundler,
    to: entryPoint.address,
    data: bytesFromHex(encodeBundle(operation, entryPoint, bundler)),
    gas: bundleGas(operation, entryPoint),
    ...(authorization && { authorizationList: [authorization] }),
  }
}

/** Enough gas for all that an operation may use: calls hold back a 64th. */
export function bundleGas(operation: UserOperation, { version }: EntryPoint): bigint {
  const { callGasLimit, verificationGasLimit, preVerificationGas, paymaster } = operation
  // Version 0.6 gives the same limit to validation and to the paymaster's call after the operation, and reserves the latter always.
  const shared = version !== '0.6' ? 1n : paymaster ? 3n : 2n
  const paid = (paymaster?.verificationGasLimit ?? 0n) + (paymaster?.postOpGasLimit ?? 0n)
  const limits = callGasLimit + shared * verificationGasLimit + paid
  return (limits * 64n) / 63n + preVerificationGas + bundleOverhead
}

/** Where the contract is missing that an account delegates to, the entry point has no reason. */
async function delegateNote({ sender, authorization }: UserOperation, view: LoadingView): Promise<string> {
  const delegate = authorization?.address ?? delegationTarget(await loadCode(view, sender))
  if (!delegate || (await loadCode(view, delegate)).length > 0) return ''
  return ` (the account delegates to ${delegate}, which has no code on this network)`
}

/** The error for a bundle that was reverted: the codes of ERC-4337, with the entry point's own words. */
function rejectionOf({ output, status, halt }: Done, { abi }: EntryPoint, note: string): NetworkError {
  const data = hexFromBytes(output)
  if (status === 'halt') return new NetworkError('USER_OPERATION_REJECTED', { reason: `${halt ?? 'halted'}${note}` })
  const { reason, inner } = failedOperation(data, abi) ?? { reason: revertReason(output) ?? data, inner: undefined }
  const innerReason = inner && inner !== '0x' ? `: ${revertReason(bytesFromHex(inner)) ?? inner}` : ''
  return new NetworkError(kindOf(reason), { reason: reason + innerReason + note }, { data })
}

function failedOperation(data: Hex, abi: EntryPoint['abi']): { reason: string; inner: Hex | undefined } | undefined {
  try {
    const { errorName, args } = decodeErrorResult({ abi, data })
    if (errorName !== 'FailedOp' && errorName !== 'FailedOpWithRevert') return undefined
    const [, reason, inner] = args as [bigint, string, Hex?]
    return { reason, inner }
  } catch {
    return undefined
  }
}

const kinds = {
  AA22: 'USER_OPERATION_OUT_OF_TIME_RANGE',
  AA24: 'USER_OPERATION_SIGNATURE_INVALID',
  AA31: 'USER_OPERATION_DEPOSIT_TOO_LOW',
  AA32: 'USER_OPERATION_OUT_OF_TIME_RANGE',
  AA34: 'USER_OPERATION_SIGNATURE_INVALID',
  AA3: 'USER_OPERATION_REJECTED_BY_PAYMASTER',
} as const satisfies Record<string, ErrorKind>

/** By the code that begins an entry point's reason. */
function kindOf(reason: string) {
  const [code, group] = [reason.slice(0, 4), reason.slice(0, 3)]
  return kinds[code as keyof typeof kinds] ?? kinds[group as keyof typeof kinds] ?? 'USER_OPERATION_REJECTED'
}
