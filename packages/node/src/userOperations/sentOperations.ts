import type { Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import type { Submission } from '../chain/submission/submission.ts'
import {
  type OperationEvent,
  operationEvents,
  operationTopic,
} from '../ethereum/encodings/userOperations/entryPointEvents.ts'
import { type EntryPoint, entryPoints, requireEntryPoint } from '../ethereum/encodings/userOperations/entryPoints.ts'
import {
  decodeBundle,
  type UserOperation,
  userOperationHash,
} from '../ethereum/encodings/userOperations/userOperation.ts'
import type { LogEntry } from '../ethereum/log.ts'
import type { Receipt } from '../ethereum/receipt.ts'
import type { Transaction } from '../ethereum/transaction.ts'
import { hexFromBytes } from '../shared/hex.ts'

/** An operation and the transaction that runs it, which has no block while it is pending. */
export type SentOperation = {
  operation: UserOperation
  entryPoint: EntryPoint
  transactionHash: Word
  block: { number: bigint; hash: Word } | undefined
}

export type OperationReceipt = { event: OperationEvent; logs: LogEntry[]; receipt: Receipt }

type Needs = {
  history: Pick<History, 'origin' | 'head' | 'kept' | 'loadLogs' | 'loadReceipt' | 'chainId'>
  submission: Pick<Submission, 'loadPending'>
}

/** Finds operations by their hashes: in the logs of this network's blocks, and among the transactions that wait. */
export function createSentOperations({ history, submission }: Needs) {
  async function loadOperationReceipt(hash: Word): Promise<OperationReceipt | undefined> {
    const to = history.head().header.number
    const oldest = history.kept().oldest
    const from = history.origin.number + 1n > oldest ? history.origin.number + 1n : oldest
    if (from > to) return undefined
    const addresses = entryPoints.map(({ address }) => address)
    const [log] = await history.loadLogs({ from, to, addresses, topics: [[operationTopic], [hash]] })
    const receipt = log?.origin === 'local' && (await history.loadReceipt(log.value.transactionHash))
    if (!log || !receipt || receipt.origin !== 'local' || log.origin !== 'local') return undefined
    const events = operationEvents(receipt.value.logs, log.value.address)
    const found = events.find(({ event }) => event.hash === hash)
    return found && { ...found, receipt: receipt.value }
  }

  function operationsOf({ to, data, authorizationList = [] }: Transaction): [EntryPoint, UserOperation[]] | undefined {
    const entryPoint = entryPoints.find(({ address }) => address === to)
    if (!entryPoint) return undefined
    const operations = decodeBundle(hexFromBytes(data), entryPoint)
    const withDelegation = (operation: UserOperation): UserOperation => ({
      ...operation,
      authorization: authorizationList.find(({ authority }) => authority === operation.sender),
    })
    return [entryPoint, operations.map(withDelegation)]
  }

  /** The operations of waiting transactions: each transaction is decoded once. */
  const waiting = new WeakMap<Transaction, Map<Word, SentOperation>>()

  function waitingOperations(transaction: Transaction): Map<Word, SentOperation> {
    const known = waiting.get(transaction)
    if (known) return known
    const [entryPoint, operations = []] = operationsOf(transaction) ?? []
    const found = new Map<Word, SentOperation>()
    for (const operation of entryPoint ? operations : []) {
      const hash = userOperationHash(operation, entryPoint as EntryPoint, history.chainId)
      found.set(hash, {
        operation,
        entryPoint: entryPoint as EntryPoint,
        transactionHash: transaction.hash,
        block: undefined,
      })
    }
    waiting.set(transaction, found)
    return found
  }

  async function findPending(hash: Word): Promise<SentOperation | undefined> {
    for (const { pending } of await submission.loadPending())
      for (const transaction of pending) {
        const found = waitingOperations(transaction).get(hash)
        if (found) return found
      }
    return undefined
  }

  return {
    loadOperationReceipt,
    /** `undefined` also if a contract sent it to the entry point, not a transaction. */
    async loadOperation(hash: Word): Promise<SentOperation | undefined> {
      const sealed = await loadOperationReceipt(hash)
      if (!sealed) return findPending(hash)
      const { event, receipt } = sealed
      const [, operations] = operationsOf(receipt.transaction) ?? []
      const operation = operations?.find(({ sender, nonce }) => sender === event.sender && nonce === event.nonce)
      return (
        operation && {
          operation,
          entryPoint: requireEntryPoint(event.entryPoint),
          transactionHash: receipt.transaction.hash,
          block: { number: receipt.blockNumber, hash: receipt.blockHash },
        }
      )
    },
  }
}
