import type { Address, Hex, Word } from '@understudy/evm'
import { type Abi, decodeEventLog, encodeEventTopics } from 'viem'
import { entryPoint08Abi } from 'viem/account-abstraction'

/** The events are the same in all versions. */
const abi = entryPoint08Abi

const topicOf = (eventName: 'UserOperationEvent' | 'BeforeExecution') =>
  encodeEventTopics({ abi: abi as Abi, eventName })[0] as Word
/** The topic of the event that an entry point emits for each operation that it ran. */
export const operationTopic = topicOf('UserOperationEvent')
const beforeExecutionTopic = topicOf('BeforeExecution')

type EventLog = { address: Address; topics: readonly Word[]; data: Hex }

/** The outcome of an operation, as its entry point announced it. */
export type OperationEvent = {
  entryPoint: Address
  hash: Word
  sender: Address
  /** `undefined` if the account paid. */
  paymaster: Address | undefined
  nonce: bigint
  success: boolean
  /** Wei. */
  actualGasCost: bigint
  actualGasUsed: bigint
  /** What its call returned when it failed; `0x` if nothing. */
  reason: Hex
}

/** The outcomes of the operations of a run, and the logs of each. */
export function operationEvents<Log extends EventLog>(
  logs: readonly Log[],
  entryPoint: Address,
): { event: OperationEvent; logs: Log[] }[] {
  const found: { event: OperationEvent; logs: Log[] }[] = []
  let since: Log[] = []
  let reason: Hex = '0x'
  for (const log of logs) {
    const own = log.address === entryPoint ? decoded(log) : undefined
    if (log.address === entryPoint && log.topics[0] === beforeExecutionTopic) since = []
    else since.push(log)
    if (own?.eventName === 'UserOperationRevertReason' || own?.eventName === 'PostOpRevertReason')
      reason = own.args.revertReason
    if (own?.eventName !== 'UserOperationEvent') continue
    const { userOpHash, sender, paymaster, nonce, success, actualGasCost, actualGasUsed } = own.args
    const payer = BigInt(paymaster) === 0n ? undefined : (paymaster.toLowerCase() as Address)
    const event = { entryPoint, hash: userOpHash, sender: sender.toLowerCase() as Address, paymaster: payer, nonce }
    found.push({ event: { ...event, success, actualGasCost, actualGasUsed, reason }, logs: since })
    since = []
    reason = '0x'
  }
  return found
}

function decoded({ topics, data }: EventLog) {
  try {
    return decodeEventLog({ abi, topics: topics as [Word, ...Word[]], data })
  } catch {
    return undefined
  }
}
