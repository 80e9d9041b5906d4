import type { Address, Hex, Word } from '@understudy/evm'
import { bytesFromBigint, bytesFromHex } from '../shared/hex.ts'
import { encodeTyped } from '../shared/rlp/encodeRlp.ts'
import type { L1Fees } from './chains/l1Fees.ts'
import { blobGasPerBlob } from './fees.ts'
import type { LogEntry } from './log.ts'
import { depositReceiptVersion, type Transaction, transactionTypeNumbers } from './transaction.ts'

export type Receipt = {
  transaction: Transaction
  transactionIndex: number
  blockNumber: bigint
  blockHash: Word
  blockTimestamp: bigint
  /** Where the blocks of the chain have it; see `Header`. */
  blockTimestampMs?: bigint | undefined
  status: 'success' | 'failed'
  gasUsed: bigint
  cumulativeGasUsed: bigint
  effectiveGasPrice: bigint
  /** Set if the transaction created a contract. */
  contractAddress: Address | undefined
  logs: LogEntry[]
  logsBloom: Hex
  blobGasUsed: bigint | undefined
  blobGasPrice: bigint | undefined
  /** What it paid beside its gas, on chains that have such fees. */
  l1Fees?: L1Fees | undefined
  /** The block of L1 that its block stands on, on Arbitrum. */
  l1BlockNumber?: bigint | undefined
}

/** What the encoding of a receipt holds. */
export type ReceiptContents = Pick<Receipt, 'status' | 'cumulativeGasUsed' | 'logsBloom'> & {
  /** The EIP-2718 number of its transaction's type. */
  type: number
  logs: readonly Pick<LogEntry, 'address' | 'topics' | 'data'>[]
  /** Of a deposit (OP Stack): the nonce of its sender, since Regolith, and the version, since Canyon. */
  deposit?: { nonce: bigint; version: bigint | undefined } | undefined
  /** The root of the state after its transaction: before Byzantium, receipts have it instead of a status. */
  stateRoot?: Hex | undefined
}

/** The EIP-2718 encoding of a receipt, for `receiptsRoot`. */
export function encodeReceipt(receipt: Receipt): Uint8Array {
  const { type, nonce } = receipt.transaction
  const deposit = type === 'deposit' ? { nonce, version: depositReceiptVersion } : undefined
  return encodeReceiptContents({ ...receipt, type: transactionTypeNumbers[type], deposit })
}

export function encodeReceiptContents(contents: ReceiptContents): Uint8Array {
  const { type, deposit, stateRoot } = contents
  const status = contents.status === 'success' ? new Uint8Array([1]) : new Uint8Array()
  return encodeTyped(type, [
    stateRoot === undefined ? status : bytesFromHex(stateRoot),
    bytesFromBigint(contents.cumulativeGasUsed),
    bytesFromHex(contents.logsBloom),
    contents.logs.map(({ address, topics, data }) => [
      bytesFromHex(address),
      topics.map(bytesFromHex),
      bytesFromHex(data),
    ]),
    ...(deposit ? [bytesFromBigint(deposit.nonce)] : []),
    ...(deposit?.version === undefined ? [] : [bytesFromBigint(deposit.version)]),
  ])
}

/** The contents of a receipt as upstream's JSON shows them. */
export function receiptContentsFromRpc(raw: Record<string, unknown>): ReceiptContents {
  const optional = (name: string) => (typeof raw[name] === 'string' ? BigInt(raw[name]) : undefined)
  const nonce = optional('depositNonce')
  return {
    type: Number(raw.type ?? 0),
    status: raw.status === '0x1' ? 'success' : 'failed',
    cumulativeGasUsed: optional('cumulativeGasUsed') ?? 0n,
    logsBloom: raw.logsBloom as Hex,
    logs: raw.logs as ReceiptContents['logs'],
    deposit: nonce === undefined ? undefined : { nonce, version: optional('depositReceiptVersion') },
    stateRoot: isMissing(raw.status) && !isMissing(raw.root) ? (raw.root as Hex) : undefined,
  }
}

const isMissing = (value: unknown) => value === undefined || value === null

/** The blob fields of the receipt of a blob transaction. */
export function blobFigures({ blobVersionedHashes }: Transaction, price: bigint) {
  return blobVersionedHashes
    ? { blobGasUsed: BigInt(blobVersionedHashes.length) * blobGasPerBlob, blobGasPrice: price }
    : { blobGasUsed: undefined, blobGasPrice: undefined }
}
