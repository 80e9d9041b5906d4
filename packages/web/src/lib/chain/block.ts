import type { Hex } from 'viem'
import { type RawTransaction, type Transaction, transactionFrom } from './transaction.ts'

export type Block = {
  number: bigint
  hash: Hex
  parentHash: Hex
  /** Milliseconds since 1970. */
  timestamp: number
  gasUsed: bigint
  gasLimit: bigint
  baseFee: bigint | undefined
  miner: Hex
  stateRoot: Hex
  extraData: Hex
  /** In bytes. */
  size: number
  transactions: Transaction[]
}

export type RawBlock = {
  number: Hex
  hash: Hex
  parentHash: Hex
  timestamp: Hex
  gasUsed: Hex
  gasLimit: Hex
  baseFeePerGas?: Hex
  miner: Hex
  stateRoot: Hex
  extraData: Hex
  size?: Hex
  transactions: RawTransaction[]
}

/** A block as the network answers it, with its transactions whole. */
export function blockFrom(raw: RawBlock): Block {
  const { number, timestamp, gasUsed, gasLimit, baseFeePerGas, size, transactions } = raw
  return {
    ...raw,
    number: BigInt(number),
    timestamp: Number(timestamp) * 1000,
    gasUsed: BigInt(gasUsed),
    gasLimit: BigInt(gasLimit),
    baseFee: baseFeePerGas === undefined ? undefined : BigInt(baseFeePerGas),
    size: Number(size ?? 0),
    transactions: transactions.map(transactionFrom),
  }
}
