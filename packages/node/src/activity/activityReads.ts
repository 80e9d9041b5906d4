import { type Address, type Hex, isCreation, type Word } from '@understudy/evm'
import { type ContractAbi, tokenAbi } from '../contracts/contractAbi.ts'
import { type Decoded, decodeEvent, decodeInput, decodeOutput, decodeRevert } from '../contracts/decode.ts'
import type { DecodedCall, DecodedLog } from '../contracts/decodedTransaction.ts'
import type { KnownContract, KnownContracts } from '../contracts/knownContracts.ts'
import { signatureOf } from '../ethereum/abi/signature.ts'
import { zeroWord } from '../ethereum/constants.ts'
import { decodeStoredTransaction } from '../ethereum/decodeTransaction.ts'
import { decodeStoredHeader } from '../ethereum/header.ts'
import type { Transaction } from '../ethereum/transaction.ts'
import { NetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'
import type { Queries } from '../storage/database.ts'
import { loadCallsOf, loadLogsOf, loadTransfersOf } from '../storage/records/activity/activityReads.ts'
import { loadTransactionsOf } from '../storage/records/activity/appearances.ts'
import { type CallRecord, loadCallsOfTransaction } from '../storage/records/activity/calls.ts'
import type { TransferRecord } from '../storage/records/activity/transfers.ts'
import { loadBlock } from '../storage/records/chain/blocks.ts'
import {
  loadNewestTransactions,
  loadTransactionAt,
  type TransactionRecord,
} from '../storage/records/chain/transactions.ts'
import { loadPage, type PageOf, type PageQuery } from './page.ts'

/** The position in the history. Seconds since 1970. */
export type Happened = { blockNumber: bigint; timestamp: bigint; transactionHash: Word }

export type PastTransaction = Happened & {
  transaction: Transaction
  succeeded: boolean
  gasUsed: bigint
  effectiveGasPrice: bigint
  contractAddress: Address | undefined
  /** The name of the called contract. */
  contract: string | undefined
  function: Decoded | undefined
  revert: (Decoded & { reason: string }) | undefined
}

export type PastCall = Happened & DecodedCall
export type PastEvent = Happened & DecodedLog
export type PastTransfer = Happened & TransferRecord

export type CallQuery = PageQuery & {
  direction: 'to' | 'from'
  /** A selector, a name or a signature. */
  method: string | undefined
  outcome: CallRecord['outcome'] | undefined
}
export type EventQuery = PageQuery & { /** A topic, a name or a signature. */ event: string | undefined }
export type TransferQuery = PageQuery & {
  /** Transfers by the address itself, or all transfers of it if it is a token. */
  as: 'party' | 'token'
  kind: TransferRecord['kind'] | undefined
  token: Address | undefined
}

type Needs = { queries: Queries; abis: KnownContracts }

/** The transactions that involve an address, or all of them. */
export async function loadTransactions(
  address: Address | undefined,
  query: PageQuery & { succeeded?: boolean | undefined },
  { queries, abis }: Needs,
): Promise<PageOf<PastTransaction>> {
  const { items, next } = await loadPage(query, async ({ limit, before }) => {
    const bound = before && { blockNumber: before.blockNumber, position: before.transactionPosition }
    const page = { limit, before: bound, succeeded: query.succeeded }
    const found = address
      ? await loadTransactionsOf(queries, address, page)
      : await loadNewestTransactions(queries, page)
    return found.map((record) => ({ ...record, transactionPosition: record.position, position: 0 }))
  })
  const decoded = items.map((record) => ({ record, transaction: decodeStoredTransaction(record) }))
  const known = await abis.load(
    decoded.flatMap(({ record, transaction: { to } }) => to ?? record.contractAddress ?? []),
  )
  const times = await loadTimes(queries, items)
  const shown = decoded.map(async ({ record, transaction }): Promise<PastTransaction> => {
    const target = transaction.to ?? record.contractAddress
    const contract = target && known.get(target)
    const input = hexFromBytes(transaction.data)
    return {
      blockNumber: record.blockNumber,
      timestamp: times.get(record.blockNumber) ?? 0n,
      transactionHash: record.hash,
      transaction,
      succeeded: record.succeeded,
      gasUsed: record.gasUsed,
      effectiveGasPrice: record.effectiveGasPrice,
      contractAddress: record.contractAddress,
      contract: contract?.name,
      function: transaction.to && (decodeInput(contract?.abi, input) ?? decodeInput(tokenAbi, input)),
      revert: record.succeeded ? undefined : await loadRevert(queries, record, contract?.abi),
    }
  })
  return { items: await Promise.all(shown), next }
}

async function loadRevert(
  queries: Queries,
  record: TransactionRecord & { transactionPosition: number },
  abi: ContractAbi | undefined,
) {
  const [call] = await loadCallsOfTransaction(
    queries,
    { blockNumber: record.blockNumber, position: record.transactionPosition },
    1,
  )
  return call?.output && call.halt === undefined ? decodeRevert([abi], hexFromBytes(call.output)) : undefined
}

/** Calls to or by an address. */
export async function loadCalls(
  address: Address,
  query: CallQuery,
  { queries, abis }: Needs,
): Promise<PageOf<PastCall>> {
  const { direction, outcome, method } = query
  const own = (await abis.load([address])).get(address)
  const filter = { address, as: direction === 'to' ? ('recipient' as const) : ('sender' as const), outcome }
  const selector = method === undefined ? undefined : selectorOf(method, direction === 'to' ? own?.abi : undefined)
  const { items, next } = await loadPage(query, (page) => loadCallsOf(queries, { ...filter, selector }, page))
  const known = await abis.load(items.map(({ recipient }) => recipient))
  const byPosition = await loadByPosition(queries, items)
  const shown = items.map((call): PastCall => {
    const { raw, happened } = byPosition.get(positionKey(call)) ?? nowhere(call)
    // Including the data of the transaction itself.
    const input = call.position === 0 && raw ? decodeStoredTransaction({ raw, sender: call.sender }).data : call.input
    return { ...happened, ...decodeCall({ ...call, input }, known.get(call.recipient)) }
  })
  return { items: shown, next }
}

function decodeCall(call: CallRecord, contract: KnownContract | undefined): DecodedCall {
  const input = hexFromBytes(call.input ?? new Uint8Array())
  const output = call.output && hexFromBytes(call.output)
  const { selector } = call
  const abi =
    [contract?.abi, tokenAbi].find((each) => selector !== undefined && each?.functions.has(selector)) ?? contract?.abi
  const failed = call.outcome === 'failed'
  return {
    ...call,
    contract: contract?.name,
    function: isCreation(call) ? undefined : decodeInput(abi, input),
    returned: failed || !output || call.selector === undefined ? undefined : decodeOutput(abi, call.selector, output),
    revert: failed && output && call.halt === undefined ? decodeRevert([contract?.abi], output) : undefined,
  }
}

/** The events of an address. */
export async function loadEvents(
  address: Address,
  query: EventQuery,
  { queries, abis }: Needs,
): Promise<PageOf<PastEvent>> {
  const known = (await abis.load([address])).get(address)
  const topic = query.event === undefined ? undefined : topicOf(query.event, known?.abi)
  const { items, next } = await loadPage(query, async ({ limit, before }) => {
    const bound = before && { blockNumber: before.blockNumber, position: before.position }
    return loadLogsOf(queries, { address, topic }, { limit, before: bound })
  })
  const byPosition = await loadByPosition(queries, items)
  const shown = items.map(
    (log): PastEvent => ({
      ...(byPosition.get(positionKey(log)) ?? nowhere(log)).happened,
      logIndex: log.position,
      address,
      topics: log.topics,
      data: log.data,
      contract: known?.name,
      event: decodeEvent([known?.abi, tokenAbi], log),
    }),
  )
  return { items: shown, next }
}

/** Transfers from or to an address, or of a token. */
export async function loadTransfers(
  address: Address,
  query: TransferQuery,
  { queries }: Pick<Needs, 'queries'>,
): Promise<PageOf<PastTransfer>> {
  const { as, kind, token } = query
  const { items, next } = await loadPage(query, (page) => loadTransfersOf(queries, { address, as, kind, token }, page))
  const byPosition = await loadByPosition(queries, items)
  return {
    items: items.map((transfer) => ({
      ...(byPosition.get(positionKey(transfer)) ?? nowhere(transfer)).happened,
      ...transfer,
    })),
    next,
  }
}

/** The selector that a text refers to. Throws `INVALID_PARAMS`. */
function selectorOf(method: string, abi: ContractAbi | undefined): Hex {
  if (/^0x[\da-f]{8}$/i.test(method)) return method.toLowerCase() as Hex
  for (const [selector, item] of abi?.functions ?? []) if (isCalled(item, method)) return selector
  throw unknown('method', method, 'a selector such as 0xa9059cbb')
}

function topicOf(event: string, abi: ContractAbi | undefined): Word {
  if (/^0x[\da-f]{64}$/i.test(event)) return event.toLowerCase() as Word
  for (const [topic, items] of [...(abi?.events ?? []), ...tokenAbi.events])
    if (items.some((item) => isCalled(item, event))) return topic
  throw unknown('event', event, 'its topic, of 32 bytes')
}

const isCalled = (item: Parameters<typeof signatureOf>[0], text: string) =>
  item.name === text || signatureOf(item) === text

function unknown(field: string, name: string, instead: string): NetworkError {
  const problem = `${JSON.stringify(name)} is in no known ABI of this contract. Pass ${instead}`
  return new NetworkError('INVALID_PARAMS', { field, problem })
}

type InTransaction = { blockNumber: bigint; transactionPosition: number }

const positionKey = ({ blockNumber, transactionPosition }: InTransaction) => `${blockNumber}.${transactionPosition}`

const nowhere = ({ blockNumber }: InTransaction): { raw: Hex | undefined; happened: Happened } => ({
  raw: undefined,
  happened: { blockNumber, timestamp: 0n, transactionHash: zeroWord },
})

/** The transactions of these entries, without duplicates. */
async function loadByPosition(queries: Queries, items: readonly InTransaction[]) {
  const times = await loadTimes(queries, items)
  const byPosition = new Map<string, { raw: Hex | undefined; happened: Happened }>()
  for (const item of items) {
    const key = positionKey(item)
    if (byPosition.has(key)) continue
    const record = await loadTransactionAt(queries, item.blockNumber, item.transactionPosition)
    if (!record) continue
    const { blockNumber, hash, raw } = record
    byPosition.set(key, {
      raw,
      happened: { blockNumber, timestamp: times.get(blockNumber) ?? 0n, transactionHash: hash },
    })
  }
  return byPosition
}

async function loadTimes(queries: Queries, items: readonly { blockNumber: bigint }[]): Promise<Map<bigint, bigint>> {
  const times = new Map<bigint, bigint>()
  for (const number of new Set(items.map(({ blockNumber }) => blockNumber))) {
    const block = await loadBlock(queries, { number })
    if (block) times.set(number, decodeStoredHeader(block.header).timestamp)
  }
  return times
}
