import type { Hex } from 'viem'

export type Transaction = {
  hash: Hex
  from: Hex
  to: Hex | null
  value: bigint
  input: Hex
  nonce: number
  gas: bigint
  gasPrice: bigint | undefined
  maxFeePerGas: bigint | undefined
  maxPriorityFeePerGas: bigint | undefined
  type: number
  /** `undefined` while it waits in the pool. */
  blockNumber: bigint | undefined
  index: number | undefined
}

export type RawTransaction = {
  hash: Hex
  from: Hex
  to: Hex | null
  value: Hex
  input: Hex
  nonce: Hex
  gas: Hex
  gasPrice?: Hex
  maxFeePerGas?: Hex
  maxPriorityFeePerGas?: Hex
  type?: Hex
  blockNumber: Hex | null
  transactionIndex: Hex | null
}

export function transactionFrom(raw: RawTransaction): Transaction {
  return {
    hash: raw.hash,
    from: raw.from,
    to: raw.to,
    value: BigInt(raw.value),
    input: raw.input,
    nonce: Number(raw.nonce),
    gas: BigInt(raw.gas),
    gasPrice: quantity(raw.gasPrice),
    maxFeePerGas: quantity(raw.maxFeePerGas),
    maxPriorityFeePerGas: quantity(raw.maxPriorityFeePerGas),
    type: Number(raw.type ?? 0),
    blockNumber: quantity(raw.blockNumber),
    index: raw.transactionIndex === null ? undefined : Number(raw.transactionIndex),
  }
}

const quantity = (hex: Hex | null | undefined) => (hex === null || hex === undefined ? undefined : BigInt(hex))

export type Log = { address: Hex; topics: Hex[]; data: Hex; index: number }

export type Receipt = {
  hash: Hex
  succeeded: boolean
  gasUsed: bigint
  gasPrice: bigint
  contractAddress: Hex | null
  logs: Log[]
}

export type RawReceipt = {
  transactionHash: Hex
  status: Hex
  gasUsed: Hex
  effectiveGasPrice: Hex
  contractAddress: Hex | null
  logs: { address: Hex; topics: Hex[]; data: Hex; logIndex: Hex }[]
}

export function receiptFrom(raw: RawReceipt): Receipt {
  return {
    hash: raw.transactionHash,
    succeeded: Number(raw.status) === 1,
    gasUsed: BigInt(raw.gasUsed),
    gasPrice: BigInt(raw.effectiveGasPrice ?? 0),
    contractAddress: raw.contractAddress,
    logs: raw.logs.map((log) => ({ ...log, index: Number(log.logIndex) })),
  }
}
