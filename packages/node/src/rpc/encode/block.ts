import type { Word } from '@understudy/evm'
import type { Block, TransactionInBlock } from '../../chain/block.ts'
import type { FromUpstream, Local } from '../../chain/origins.ts'
import { arbitrumFieldsOf } from '../../ethereum/chains/arbitrum.ts'
import { quantity } from '../../shared/hex.ts'
import { encodeTransaction } from './transaction.ts'

/** The hash of an empty list of uncles: proof of stake has none. */
const emptyUnclesHash = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'

/**
 * A block as `eth_getBlockByNumber` returns it, with full transactions or hashes. Fields of later forks are omitted; a
 * pending block has no hash and no nonce, as in geth.
 */
export function encodeBlock(block: Block, hydrated: boolean) {
  const { header, transactions, size, isPending } = block
  const arbitrum = arbitrumFieldsOf(header)
  return {
    hash: isPending ? null : block.hash,
    parentHash: header.parentHash,
    sha3Uncles: emptyUnclesHash,
    miner: header.coinbase,
    stateRoot: header.stateRoot,
    transactionsRoot: header.transactionsRoot,
    receiptsRoot: header.receiptsRoot,
    logsBloom: header.logsBloom,
    difficulty: quantity(header.difficulty),
    number: quantity(header.number),
    gasLimit: quantity(header.gasLimit),
    gasUsed: quantity(header.gasUsed),
    timestamp: quantity(header.timestamp),
    extraData: header.extraData,
    mixHash: header.mixHash,
    nonce: isPending ? null : '0x0000000000000000',
    ...(header.baseFeePerGas !== undefined && { baseFeePerGas: quantity(header.baseFeePerGas) }),
    ...(header.withdrawalsRoot !== undefined && { withdrawalsRoot: header.withdrawalsRoot, withdrawals: [] }),
    ...(header.blobGasUsed !== undefined && { blobGasUsed: quantity(header.blobGasUsed) }),
    ...(header.excessBlobGas !== undefined && { excessBlobGas: quantity(header.excessBlobGas) }),
    ...(header.parentBeaconBlockRoot !== undefined && { parentBeaconBlockRoot: header.parentBeaconBlockRoot }),
    ...(header.requestsHash !== undefined && { requestsHash: header.requestsHash }),
    ...(header.blockAccessListHash !== undefined && { blockAccessListHash: header.blockAccessListHash }),
    ...(header.slotNumber !== undefined && { slotNumber: quantity(header.slotNumber) }),
    ...(header.timestampMs !== undefined && { timestampMs: quantity(header.timestampMs) }),
    ...(header.settledHeight !== undefined && { settledHeight: quantity(header.settledHeight) }),
    ...(arbitrum && {
      l1BlockNumber: quantity(arbitrum.l1Number),
      sendCount: quantity(arbitrum.sendCount),
      sendRoot: arbitrum.sendRoot,
    }),
    size: quantity(size),
    uncles: [],
    transactions: transactions.map((transaction, index) =>
      hydrated ? encodeTransaction(transactionAt(block, index)) : transaction.hash,
    ),
  }
}

/** A block's header as `newHeads` sends it. */
export function encodeHeader(block: Block) {
  const { uncles, transactions, withdrawals, size, ...header } = encodeBlock(block, false)
  return header
}

/** A transaction of a block by its index, encoded; `null` if there is none. */
export function encodeTransactionOf(found: Local<Block> | FromUpstream | undefined, index: bigint) {
  if (!found) return null
  const { transactions } = found.value
  const at = Number(index)
  if (!Array.isArray(transactions) || at >= transactions.length) return null
  return found.origin === 'local'
    ? encodeTransaction(transactionAt(found.value, at))
    : (transactions[at] as Record<string, unknown>)
}

/** The number of transactions in a block; `null` if there is no such block. */
export function encodeTransactionCount(found: Local<Block> | FromUpstream | undefined) {
  const transactions = found?.value.transactions
  return Array.isArray(transactions) ? quantity(transactions.length) : null
}

function transactionAt({ hash, header, transactions, isPending }: Block, index: number): TransactionInBlock {
  const { number, timestamp, timestampMs, baseFeePerGas } = header
  const transaction = transactions[index]
  if (!transaction) throw new Error(`Block ${number} has no transaction ${index}`)
  const block = { number, hash: isPending ? undefined : hash, timestamp, timestampMs, baseFeePerGas }
  return { transaction, block, index }
}

/** The header of a block as `eth_getHeaderByNumber` returns it; `null` if there is no such block. */
export function encodeFoundHeader(found: Local<Block> | FromUpstream | undefined): Record<string, unknown> | null {
  if (!found) return null
  if (found.origin === 'local') return encodeHeader(found.value)
  const { transactions, uncles, withdrawals, size, totalDifficulty, ...header } = found.value
  return header
}

/** The number of uncles of a block; `null` if there is no such block. */
export function encodeUncleCount(found: Local<Block> | FromUpstream | undefined) {
  if (!found) return null
  const uncles = found.origin === 'upstream' ? found.value.uncles : []
  return quantity(Array.isArray(uncles) ? uncles.length : 0)
}

/** The hash of a transaction of a block by its index; `null` if there is none. `found` contains hashes. */
export function encodeTransactionHashOf(found: Local<Block> | FromUpstream | undefined, index: bigint): Word | null {
  const at = Number(index)
  if (found?.origin === 'local') return found.value.transactions[at]?.hash ?? null
  const transactions = found?.value.transactions
  return Array.isArray(transactions) ? ((transactions[at] as Word | undefined) ?? null) : null
}
