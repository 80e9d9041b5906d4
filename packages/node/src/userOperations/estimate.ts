import { type Address, type CallFrame, type OverrideTable, revertReason, rulesOf } from '@understudy/evm'
import { toFunctionSelector } from 'viem'
import { delegationTo } from '../ethereum/authorization.ts'
import type { EntryPoint } from '../ethereum/encodings/userOperations/entryPoints.ts'
import type { UserOperation } from '../ethereum/encodings/userOperations/userOperation.ts'
import { type CallOverrides, type ExecutionPoint, transactionGasCap } from '../execution/execution.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import { loadAccountField } from '../state/view.ts'
import type { BundleRun, RunBundle } from './bundleRun.ts'
import type { DataGas } from './dataGas.ts'

/** Gas limits of an operation, in gas. */
export type OperationGas = {
  preVerificationGas: bigint
  verificationGasLimit: bigint
  callGasLimit: bigint
  /** `undefined` without a paymaster. */
  paymaster: { verificationGasLimit: bigint; postOpGasLimit: bigint } | undefined
}

type Needs = {
  runBundle: RunBundle
  dataGas: DataGas
  /** The enabled function overrides. */
  overrides: () => OverrideTable | undefined
}

/** How often limits that are too low are raised, by a quarter each time. */
const raises = 16

/**
 * Finds gas limits with which an operation succeeds, by running it. Its signature need not be valid. Throws the errors of
 * `RunBundle`, and `USER_OPERATION_CALL_REVERTED`.
 */
export function createEstimate({ callGasLimit }: { callGasLimit: bigint }, { runBundle, dataGas, overrides }: Needs) {
  return async (
    given: UserOperation,
    entryPoint: EntryPoint,
    at: ExecutionPoint,
    stateOverrides: CallOverrides['state'],
  ): Promise<OperationGas> => {
    const operation = withFees({ ...given, authorization: undefined })
    const table = acceptingSignatures(operation, overrides())
    const balance =
      stateOverrides?.get(given.sender)?.balance ?? (await loadAccountField(at.view, given.sender, 'balance'))
    const run = (gas: OperationGas) => {
      const tried = withGas(operation, gas)
      const funds = balance + (tried.paymaster ? 0n : prefund(tried, entryPoint))
      return runBundle(tried, entryPoint, at, { table, overrides: { state: withFunds(given, funds, stateOverrides) } })
    }

    // A run of all limits below, with what version 0.6 takes several times, has to fit into a call.
    const most = mostGas(operation, min(transactionGasCap(at.block), callGasLimit / 2n))
    let gas = leastGas(operation, entryPoint, requireSuccess(await run(most)))
    for (let raised = 0; ; raised++) {
      const outcome = await run(gas).catch((error) => {
        if (raised < raises && isNetworkError(error)) return undefined
        throw error
      })
      if (!outcome?.event.success) {
        if (outcome && raised >= raises) requireSuccess(outcome)
        gas = raise(gas, outcome ? 'call' : 'validation')
      } else if (gas.preVerificationGas > 0n) return withMargin(gas)
      // What the account pays in advance depends on it, too.
      else {
        const data = await dataGas(withGas(given, gas), entryPoint, at, outcome.result.gasUsed)
        gas = { ...gas, preVerificationGas: gasBeside(outcome, gas, authorizationGas(given, at)) + aTenthMore(data) }
      }
    }
  }
}

function requireSuccess(run: BundleRun): BundleRun {
  const { success, reason } = run.event
  if (success) return run
  const text = revertReason(bytesFromHex(reason)) ?? reason
  throw new NetworkError('USER_OPERATION_CALL_REVERTED', { reason: text }, { data: reason })
}

/** Without a price, an account pays nothing in advance. With a paymaster, its deposit need not cover the limits of a first run. */
function withFees(operation: UserOperation): UserOperation {
  if (operation.maxFeePerGas > 0n && !operation.paymaster) return operation
  return { ...operation, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
}

/** What an account pays in advance, in wei. */
function prefund(operation: UserOperation, { version }: EntryPoint): bigint {
  const { callGasLimit, verificationGasLimit, preVerificationGas, paymaster, maxFeePerGas } = operation
  const times = version === '0.6' && paymaster ? 3n : 1n
  const paid = (paymaster?.verificationGasLimit ?? 0n) + (paymaster?.postOpGasLimit ?? 0n)
  return (callGasLimit + times * verificationGasLimit + preVerificationGas + paid) * maxFeePerGas
}

/** The account can pay, and has the code that it is about to delegate to. */
function withFunds({ sender, authorization }: UserOperation, balance: bigint, given: CallOverrides['state']) {
  const code = authorization && delegationTo(authorization.address)
  return new Map([...(given ?? []), [sender, { ...(code && { code }), ...given?.get(sender), balance }]])
}

const validateAccount = new Set(
  [
    'function validateUserOp((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes),bytes32,uint256)',
    'function validateUserOp((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes),bytes32,uint256)',
  ].map(toFunctionSelector),
)
const validatePaymaster = new Set(
  [
    'function validatePaymasterUserOp((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes),bytes32,uint256)',
    'function validatePaymasterUserOp((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes),bytes32,uint256)',
  ].map(toFunctionSelector),
)

/** Overrides by which account and paymaster accept the signature that stands in for the real one. */
function acceptingSignatures({ sender, paymaster }: UserOperation, table: OverrideTable | undefined): OverrideTable {
  const targets = [
    ...[...validateAccount].map((selector) => [sender, selector] as const),
    ...(paymaster ? [...validatePaymaster].map((selector) => [paymaster.address, selector] as const) : []),
  ]
  return {
    targets: [...(table?.targets ?? []), ...targets],
    resolve(address, input, output) {
      const replaced = table?.resolve(address, input, output)
      if (replaced) return replaced
      const selector = hexFromBytes(input.subarray(0, 4))
      if (address === sender && validateAccount.has(selector)) return withoutSignatureFailure(output, 0)
      if (address === paymaster?.address && validatePaymaster.has(selector)) return withoutSignatureFailure(output, 32)
      return undefined
    },
  }
}

/** Validation data whose low 20 bytes are 1 says that the signature is wrong; the rest is a range of time. */
function withoutSignatureFailure(output: Uint8Array, at: number): Uint8Array | undefined {
  const low = output.subarray(at + 12, at + 32)
  if (low.length < 20 || BigInt(hexFromBytes(low)) !== 1n) return undefined
  const accepted = output.slice()
  accepted.fill(0, at + 12, at + 32)
  return accepted
}

function withGas(operation: UserOperation, gas: OperationGas): UserOperation {
  const paymaster = operation.paymaster && { ...operation.paymaster, ...gas.paymaster }
  return { ...operation, ...gas, paymaster }
}

/** The limits of the first run: together, what a transaction may have. */
function mostGas({ paymaster }: UserOperation, cap: bigint): OperationGas {
  return {
    preVerificationGas: 0n,
    verificationGasLimit: cap / 4n,
    callGasLimit: cap / 2n,
    paymaster: paymaster && { verificationGasLimit: cap / 16n, postOpGasLimit: cap / 16n },
  }
}

/** What a frame needs to use as much: calls hold back a 64th. */
const enoughFor = (gasUsed: bigint) => (gasUsed * 64n) / 63n
/** The entry point's own work while it validates. */
const validationOverhead = 25_000n
const callOverhead = 5_000n

/** Limits that are close to what a run used. They may be too low where code looks at the gas it has. */
function leastGas({ sender, paymaster }: UserOperation, { version, address }: EntryPoint, run: BundleRun) {
  const { frames } = run.result
  const isExecution = ({ depth, from, to }: CallFrame) => depth === 1 && from === address && to === address
  const at = frames.findIndex(isExecution)
  const sum = (of: readonly CallFrame[], depth: number, isCounted: (to: Address) => boolean) =>
    of
      .filter((frame) => frame.depth === depth && frame.from === address && isCounted(frame.to))
      .reduce((gas, { gasUsed }) => gas + gasUsed, 0n)
  const before = frames.slice(0, at)
  const after = frames.slice(at)
  const isPaymaster = (to: Address) => to === paymaster?.address
  const [validating, afterwards] = [sum(before, 1, isPaymaster), sum(after, 2, isPaymaster)]
  // Version 0.6 has one limit for account and paymaster.
  const shared = version === '0.6' ? validating + afterwards : 0n
  const validation = sum(before, 1, (to) => !isPaymaster(to)) + shared
  const gas: OperationGas = {
    preVerificationGas: 0n,
    verificationGasLimit: enoughFor(validation) + validationOverhead,
    callGasLimit: enoughFor(sum(after, 2, (to) => to === sender)) + callOverhead,
    paymaster: paymaster && {
      verificationGasLimit: enoughFor(validating) + callOverhead,
      postOpGasLimit: enoughFor(afterwards) + callOverhead,
    },
  }
  return gas
}

const aQuarterMore = (gas: bigint) => (gas * 5n) / 4n

function raise({ verificationGasLimit, callGasLimit, paymaster, ...gas }: OperationGas, part: 'validation' | 'call') {
  const isCall = part === 'call'
  return {
    ...gas,
    verificationGasLimit: isCall ? verificationGasLimit : aQuarterMore(verificationGasLimit),
    callGasLimit: isCall ? aQuarterMore(callGasLimit) : callGasLimit,
    paymaster: paymaster && {
      verificationGasLimit: isCall ? paymaster.verificationGasLimit : aQuarterMore(paymaster.verificationGasLimit),
      postOpGasLimit: isCall ? aQuarterMore(paymaster.postOpGasLimit) : paymaster.postOpGasLimit,
    },
  }
}

const aTenthMore = (gas: bigint) => (gas * 11n) / 10n

/** The state may change before the operation is sent, and its signature another one. */
function withMargin({ preVerificationGas, verificationGasLimit, callGasLimit, paymaster }: OperationGas): OperationGas {
  return {
    preVerificationGas,
    verificationGasLimit: aTenthMore(verificationGasLimit),
    callGasLimit: aTenthMore(callGasLimit),
    paymaster: paymaster && {
      verificationGasLimit: aTenthMore(paymaster.verificationGasLimit),
      postOpGasLimit: aTenthMore(paymaster.postOpGasLimit),
    },
  }
}

/**
 * The gas of the transaction that the entry point does not measure, and a tenth more: zeros of the operation may become other
 * bytes. The entry point fines an operation a tenth of the gas that it reserves and does not use.
 */
function gasBeside({ result, event }: BundleRun, gas: OperationGas, ofAuthorization: bigint): bigint {
  const fine = (gas.callGasLimit + (gas.paymaster?.postOpGasLimit ?? 0n)) / 10n
  const unmeasured = result.gasUsed + result.gasRefund - event.actualGasUsed + min(fine, 2_000n)
  return aTenthMore(unmeasured) + ofAuthorization
}

/** What the authorization of an operation costs in its transaction (EIP-7702, EIP-8037), if its account exists. */
function authorizationGas({ authorization }: UserOperation, { block }: ExecutionPoint): bigint {
  if (!authorization) return 0n
  const { prices } = rulesOf(block)
  return BigInt(prices.authorization + prices.accountWrite + prices.delegationState)
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)
