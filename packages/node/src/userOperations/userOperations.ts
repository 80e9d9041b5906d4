import type { Address, OverrideTable, Word } from '@understudy/evm'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import type { History } from '../chain/history/history.ts'
import type { Submission } from '../chain/submission/submission.ts'
import { type EntryPoint, entryPoints, requireEntryPoint } from '../ethereum/encodings/userOperations/entryPoints.ts'
import type { UserOperation } from '../ethereum/encodings/userOperations/userOperation.ts'
import { type CallOverrides, type Execution, type ExecutionPoint, transactionGasCap } from '../execution/execution.ts'
import type { Senders } from '../senders/senders.ts'
import { createKeyedMutex } from '../shared/async/mutex.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import { bytesFromHex, hexFromBytes } from '../shared/hex.ts'
import { JsonText } from '../shared/json/jsonText.ts'
import type { Logger } from '../shared/logger.ts'
import type { StateWrites } from '../state/stateWrites.ts'
import { loadAccountField, loadCode } from '../state/view.ts'
import type { Traces } from '../traces/traces.ts'
import { bundleGas, bundleRequest, createRunBundle } from './bundleRun.ts'
import { createDataGas } from './dataGas.ts'
import { createEstimate, type OperationGas } from './estimate.ts'
import { createSentOperations, type OperationReceipt, type SentOperation } from './sentOperations.ts'
import { createSponsor, type Sponsorship, sponsorAddress, sponsorVerificationGas } from './sponsor.ts'
import { type ValidationFrame, violationsOf } from './validationRules.ts'

/** Bundles operations of smart accounts (ERC-4337), each in a transaction of its own. */
export type UserOperations = {
  /** The entry points that have code, the newest first. */
  supported(): Promise<Address[]>
  /**
   * Validates an operation and sends it. In instant mode, resolves when it is sealed. Throws `ENTRY_POINT_UNSUPPORTED`,
   * `ENTRY_POINT_NOT_DEPLOYED`, and the errors of ERC-4337.
   */
  send(operation: UserOperation, entryPoint: Address): Promise<Word>
  estimate(operation: UserOperation, entryPoint: Address, overrides: CallOverrides['state']): Promise<OperationGas>
  loadOperation(hash: Word): Promise<SentOperation | undefined>
  loadOperationReceipt(hash: Word): Promise<OperationReceipt | undefined>
  /** Makes the network's paymaster ready to pay for operations of an entry point. `chainId` must be the network's. */
  sponsor(entryPoint: Address, chainId: bigint): Promise<Sponsorship>
}

type Options = {
  /** Maximum computing time of a request, in seconds. */
  callTimeout: number
  /** Maximum gas of a call. */
  callGasLimit: bigint
  /** What happens to operations whose validation breaks a rule of ERC-7562. */
  userOperationRules: 'warn' | 'enforce' | 'ignore'
}

type Needs = {
  history: Pick<History, 'at' | 'origin' | 'head' | 'kept' | 'loadLogs' | 'loadReceipt' | 'chainId'>
  submission: Pick<Submission, 'send' | 'loadPending'>
  senders: Pick<Senders, 'bundler'>
  state: Pick<StateWrites, 'setBalances' | 'setCode'>
  execution: Pick<Execution, 'prepare' | 'call'>
  traces: Pick<Traces, 'traceCall'>
  engineWith(table: OverrideTable | undefined): Engine
  overrides: () => OverrideTable | undefined
  logger: Logger
}

/** Wei. The bundler gets `full` when it has less than `low`. */
const bundlerFunds = { low: 10n ** 22n, full: 10n ** 23n }
/** Seconds for which a stake is locked that counts (ERC-7562). */
const minStakeDelay = 86_400

export function createUserOperations(options: Options, needs: Needs): UserOperations {
  const { history, submission, senders, state, execution, traces, engineWith, overrides, logger } = needs
  const { bundler } = senders
  const runBundle = createRunBundle(options, { bundler, execution, engineWith })
  const estimate = createEstimate(options, { runBundle, dataGas: createDataGas({ bundler, execution }), overrides })
  const sent = createSentOperations({ history, submission })
  const sponsor = createSponsor({ bundler, history, submission, state, execution, fundBundler })
  /** Operations of one account are run one at a time, so that each is validated after the one before. */
  const sends = createKeyedMutex<Address>()
  const pending = () => history.at('pending')

  const isDeployed = async ({ address }: EntryPoint, { view }: ExecutionPoint) =>
    (await loadCode(view, address)).length > 0

  async function requireDeployed(address: Address, at: ExecutionPoint): Promise<EntryPoint> {
    const entryPoint = requireEntryPoint(address)
    if (!(await isDeployed(entryPoint, at)))
      throw new NetworkError('ENTRY_POINT_NOT_DEPLOYED', { address, version: entryPoint.version })
    return entryPoint
  }

  async function fundBundler(): Promise<void> {
    const { view } = await pending()
    if ((await loadAccountField(view, bundler, 'balance')) < bundlerFunds.low)
      await state.setBalances([bundler], bundlerFunds.full)
  }

  async function isStaked(entity: Address, { abi, address }: EntryPoint, at: ExecutionPoint): Promise<boolean> {
    const read = { abi, functionName: 'getDepositInfo', args: [entity] }
    const output = await execution.call({ to: address, data: bytesFromHex(encodeFunctionData(read)) }, at)
    const info = decodeFunctionResult({ ...read, data: hexFromBytes(output) }) as {
      staked: boolean
      unstakeDelaySec: number
    }
    return info.staked && info.unstakeDelaySec >= minStakeDelay
  }

  /** Throws `USER_OPERATION_BREAKS_RULES` if the rules of validation are enforced. */
  async function checkRules(operation: UserOperation, entryPoint: EntryPoint, at: ExecutionPoint, hash: Word) {
    if (options.userOperationRules === 'ignore') return
    const config = { tracer: 'erc7562Tracer' }
    const request = bundleRequest(operation, entryPoint, bundler)
    const made = await traces.traceCall(request, { block: 'pending' }, {}, config)
    const trace = (made instanceof JsonText ? JSON.parse(made.bytes.toString()) : made) as ValidationFrame
    const violations = await violationsOf(trace, operation, entryPoint, (entity) => isStaked(entity, entryPoint, at))
    const [first] = violations
    if (!first) return
    if (options.userOperationRules === 'enforce')
      throw new NetworkError('USER_OPERATION_BREAKS_RULES', { ...first }, { data: { violations } })
    logger.warn({ userOperation: hash, violations }, 'Accepted a user operation that bundlers of live chains refuse')
  }

  function requireSendable(operation: UserOperation, entryPoint: EntryPoint, { block }: ExecutionPoint): void {
    const refuse = (field: string, problem: string) => {
      throw new NetworkError('INVALID_PARAMS', { field: `params[0].${field}`, problem })
    }
    const { maxFeePerGas, maxPriorityFeePerGas } = operation
    if (maxFeePerGas < block.baseFee)
      refuse('maxFeePerGas', `is ${maxFeePerGas}, below the base fee of the next block, ${block.baseFee}`)
    if (maxPriorityFeePerGas > maxFeePerGas) refuse('maxPriorityFeePerGas', 'is above maxFeePerGas')
    const [gas, cap] = [bundleGas(operation, entryPoint), transactionGasCap(block)]
    if (gas > cap)
      refuse('callGasLimit', `makes a transaction of ${gas} gas, with the other limits; one may have ${cap}`)
  }

  async function sendNow(operation: UserOperation, address: Address): Promise<Word> {
    const at = await pending()
    const entryPoint = await requireDeployed(address, at)
    requireSendable(operation, entryPoint, at)
    const { event } = await runBundle(operation, entryPoint, at)
    await checkRules(operation, entryPoint, at, event.hash)
    await fundBundler()
    const { maxFeePerGas, maxPriorityFeePerGas } = operation
    const request = bundleRequest(operation, entryPoint, bundler)
    const hash = await submission.send({ ...request, maxFeePerGas, maxPriorityFeePerGas })
    const receipt = await history.loadReceipt(hash)
    if (receipt?.origin === 'local' && receipt.value.status === 'failed')
      throw new NetworkError('USER_OPERATION_REJECTED', {
        reason: `it was valid, but another transaction came first. Its bundle ${hash} was reverted; send it again`,
      })
    return event.hash
  }

  return {
    async supported() {
      const at = await pending()
      const deployed = await Promise.all(entryPoints.map((entryPoint) => isDeployed(entryPoint, at)))
      return entryPoints.filter((_, index) => deployed[index]).map(({ address }) => address)
    },
    send: (operation, entryPoint) => sends.run(operation.sender, () => sendNow(operation, entryPoint)),
    async estimate(operation, address, stateOverrides) {
      const at = await pending()
      return estimate(operation, await requireDeployed(address, at), at, stateOverrides)
    },
    ...sent,
    async sponsor(address, chainId) {
      if (chainId !== history.chainId)
        throw new NetworkError('INVALID_PARAMS', {
          field: 'params[2] (chainId)',
          problem: `is ${chainId}, but the chain id of the network is ${history.chainId}`,
        })
      const entryPoint = await requireDeployed(address, await pending())
      await sponsor.prepare(entryPoint)
      return { address: sponsorAddress, version: entryPoint.version, verificationGas: sponsorVerificationGas }
    },
  }
}
