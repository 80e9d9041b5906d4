import type { Address, Done, TracedRun, Word } from '@understudy/evm'
import type { ActivitySearch } from '../activity/search.ts'
import type { TransactionInBlock } from '../chain/block.ts'
import type { History } from '../chain/history/history.ts'
import type { FromUpstream, Local } from '../chain/origins.ts'
import type { Receipt } from '../ethereum/receipt.ts'
import type { SearchStart } from '../storage/records/activity/appearances.ts'
import type { Traces } from './traces.ts'

type Raw = Record<string, unknown>

/** Transactions with their receipts, newest first. */
export type SearchPage = {
  transactions: { transaction: Local<TransactionInBlock> | FromUpstream; receipt: Local<Receipt> | FromUpstream }[]
  /** Nothing is newer. */
  isFirst: boolean
  /** Nothing older can be found. */
  isLast: boolean
}

/** Methods of the block explorer Otterscan. For upstream's data, upstream is asked if it supports them. */
export type Otterscan = {
  /** Pages end with whole blocks. Without `start`, begins with the newest or the oldest. */
  search(address: Address, direction: 'before' | 'after', start: bigint | undefined, size: number): Promise<SearchPage>
  /** `undefined` if unknown. */
  loadCreator(address: Address): Promise<{ hash: Word; creator: Address } | undefined>
  loadTransactionOf(sender: Address, nonce: bigint): Promise<Word | undefined>
  loadOperations(hash: Word): Promise<InternalOperation[]>
  runTransaction(hash: Word): Promise<TracedRun>
}

type Needs = {
  activity: ActivitySearch
  history: Pick<History, 'origin' | 'loadTransaction' | 'loadReceipt'>
  traces: Pick<Traces, 'ask' | 'runTransaction'>
}

const noBlock = 2n ** 52n

export function createOtterscan({ activity, history, traces }: Needs): Otterscan {
  async function searchOwn(address: Address, start: SearchStart, size: number) {
    const { hashes, more } = await activity.appearances(address, start, size)
    const found: SearchPage['transactions'] = []
    for (const hash of hashes) {
      const transaction = await history.loadTransaction(hash)
      const receipt = await history.loadReceipt(hash)
      if (transaction && receipt) found.push({ transaction, receipt })
    }
    return { found, more }
  }

  /** What upstream finds in the blocks before the fork. */
  async function searchUpstream(method: string, address: Address, start: bigint, size: number) {
    const page = (await traces.ask(method, [address, Number(start), size])) as
      | { txs: Raw[]; receipts: Raw[]; firstPage: boolean; lastPage: boolean }
      | undefined
    const shared = (raw: Raw | undefined) =>
      raw !== undefined && BigInt(String(raw.blockNumber)) <= history.origin.number
    const found = (page?.txs ?? [])
      .map((transaction, index) => ({ transaction, receipt: page?.receipts[index] }))
      .filter(({ transaction }) => shared(transaction))
      .map(({ transaction, receipt = {} }): SearchPage['transactions'][number] => ({
        transaction: { origin: 'upstream', value: transaction },
        receipt: { origin: 'upstream', value: receipt },
      }))
    return { found, isFirst: page?.firstPage ?? true, isLast: page?.lastPage ?? true }
  }

  return {
    async search(address, direction, start, size) {
      if (direction === 'before') {
        const own = await searchOwn(address, { before: start ?? noBlock }, size)
        const isFirst = start === undefined
        if (own.more || own.found.length >= size) return { transactions: own.found, isFirst, isLast: false }
        const border = history.origin.number + 1n
        const from = start !== undefined && start < border ? start : border
        const left = size - own.found.length
        const older = await searchUpstream('ots_searchTransactionsBefore', address, from, left)
        return { transactions: [...own.found, ...older.found], isFirst, isLast: older.isLast }
      }
      const isLast = start === undefined
      const after = start ?? 0n
      const older =
        after < history.origin.number
          ? await searchUpstream('ots_searchTransactionsAfter', address, after, size)
          : { found: [] }
      if (older.found.length >= size) return { transactions: older.found, isFirst: false, isLast }
      const own = await searchOwn(address, { after }, size - older.found.length)
      return { transactions: [...own.found.reverse(), ...older.found], isFirst: !own.more, isLast }
    },

    async loadCreator(address) {
      const own = await activity.loadCreator(address)
      if (own) return own
      const found = await traces.ask('ots_getContractCreator', [address])
      return (found ?? undefined) as { hash: Word; creator: Address } | undefined
    },

    async loadTransactionOf(sender, nonce) {
      const own = await activity.loadSent(sender, nonce)
      if (!own.isEarlier) return own.hash
      const found = await traces.ask('ots_getTransactionBySenderAndNonce', [sender, Number(nonce)])
      return (found ?? undefined) as Word | undefined
    },

    loadOperations: async (hash) => internalOperations((await traces.runTransaction(hash)).result),
    runTransaction: (hash) => traces.runTransaction(hash),
  }
}

/** An ether transfer inside a transaction, or a contract that it created or destroyed. Wei. */
export type InternalOperation = {
  type: 'transfer' | 'selfdestruct' | 'create' | 'create2'
  from: Address
  to: Address
  value: bigint
}

const typeNames = { CALL: 'transfer', SELFDESTRUCT: 'selfdestruct', CREATE: 'create', CREATE2: 'create2' } as const

/** The operations of the successful inner calls of a transaction, without the outermost call. */
function internalOperations({ frames }: Done): InternalOperation[] {
  const operations: InternalOperation[] = []
  let failedAt = Number.POSITIVE_INFINITY
  for (const { type, depth, from, to, value, error } of frames) {
    if (depth <= failedAt) failedAt = error === undefined ? Number.POSITIVE_INFINITY : depth
    if (depth >= failedAt || depth === 0 || !(type in typeNames)) continue
    const name = typeNames[type as keyof typeof typeNames]
    if (name !== 'transfer' || value > 0n) operations.push({ type: name, from, to, value })
  }
  return operations
}
