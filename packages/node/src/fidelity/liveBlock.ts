import type { Address, Hex, Word } from '@understudy/evm'
import { loadEachReceipt } from '../chain/history/upstreamReceipts.ts'
import { NetworkError } from '../shared/errors.ts'
import { quantity } from '../shared/hex.ts'
import { blockFromAnswer, listFromAnswer, type RawBlock } from '../upstream/answers.ts'

type Raw = Record<string, unknown>

/** What a transaction found of an account, by the prestate tracer. */
export type AccountBefore = { balance?: Hex; nonce?: number | Hex; code?: Hex; storage?: Record<Word, Hex> }
export type Prestate = Record<Address, AccountBefore>

/** A block of the live chain with all that a check needs. */
export type LiveBlock = {
  raw: RawBlock
  /** Its transactions, in order. */
  transactions: Raw[]
  receipts: Raw[]
  parent: RawBlock
  /** What each transaction found; `undefined` where upstream cannot tell. */
  prestates: Prestate[] | undefined
}

export type AskLive = {
  request<T>(method: string, params: readonly unknown[]): Promise<T>
  /** `undefined` where upstream does not have the method. */
  askOptional(method: string, params: readonly unknown[]): Promise<unknown>
  /** The same for traces; by default `askOptional`. */
  askTrace?(method: string, params: readonly unknown[]): Promise<unknown>
}

/** Reads a block in one round trip. Throws `UPSTREAM_ERROR` if a reorg came between the answers. */
export async function loadLiveBlock(
  number: bigint,
  { request, askOptional, askTrace = askOptional }: AskLive,
): Promise<LiveBlock> {
  const tag = quantity(number)
  const [block, before, all, traced] = await Promise.all([
    request<unknown>('eth_getBlockByNumber', [tag, true]),
    request<unknown>('eth_getBlockByNumber', [quantity(number - 1n), false]),
    askOptional('eth_getBlockReceipts', [tag]),
    askTrace('debug_traceBlockByNumber', [tag, { tracer: 'prestateTracer' }]),
  ])
  const [raw, parent] = [blockFromAnswer(tag, block), blockFromAnswer(quantity(number - 1n), before)]
  const transactions = listFromAnswer('eth_getBlockByNumber', raw.transactions)
  const hashes = transactions.map(({ hash }) => hash)
  const receipts = (Array.isArray(all) ? all : await loadEachReceipt(request, hashes)) as Raw[]
  const isWhole =
    parent.hash === raw.parentHash &&
    receipts.length === hashes.length &&
    receipts.every((receipt, index) => receipt?.blockHash === raw.hash && receipt.transactionHash === hashes[index])
  if (!isWhole) throw new NetworkError('UPSTREAM_ERROR', { problem: `it replaced block ${number} while it was read` })
  return { raw, transactions, receipts, parent, prestates: prestatesFrom(traced, hashes) }
}

function prestatesFrom(traced: unknown, hashes: readonly unknown[]): Prestate[] | undefined {
  if (!Array.isArray(traced) || traced.length !== hashes.length) return undefined
  const isOf = ({ txHash, result }: Raw, index: number) =>
    (txHash === undefined || txHash === hashes[index]) && typeof result === 'object' && result !== null
  if (!traced.every((each, index) => each && isOf(each as Raw, index))) return undefined
  return traced.map(({ result }) => lowered(result as Prestate))
}

const lowered = (prestate: Prestate): Prestate =>
  Object.fromEntries(Object.entries(prestate).map(([address, account]) => [address.toLowerCase(), account]))
