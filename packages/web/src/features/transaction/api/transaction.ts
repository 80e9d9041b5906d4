import { useQuery } from '@tanstack/react-query'
import {
  formatTransaction,
  type Hex,
  hexToBigInt,
  type RpcTransaction,
  type RpcTransactionReceipt,
  type Transaction,
} from 'viem'
import { type Receipt, receiptFrom } from '../../../lib/chain/block.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

export type TransactionDetails = {
  transaction: Transaction
  /** `undefined` while it is pending. */
  receipt: Receipt | undefined
  /** Of its block, in seconds. */
  timestamp: bigint | undefined
}

/** A transaction with its receipt; `null` when it does not exist. */
export function useTransaction(hash: Hex) {
  return useQuery({
    queryKey: ['head', 'transaction', hash],
    async queryFn(): Promise<TransactionDetails | null> {
      const [raw, receipt] = await Promise.all([
        rpc<RpcTransaction | null>('eth_getTransactionByHash', hash),
        rpc<RpcTransactionReceipt | null>('eth_getTransactionReceipt', hash),
      ])
      if (!raw) return null
      const block = raw.blockNumber
        ? await rpc<{ timestamp: Hex } | null>('eth_getBlockByNumber', raw.blockNumber, false)
        : null
      return {
        transaction: formatTransaction(raw),
        receipt: receipt ? receiptFrom(receipt) : undefined,
        timestamp: block ? hexToBigInt(block.timestamp) : undefined,
      }
    },
  })
}

/** A call within a transaction, as callTracer reports it. */
export type CallFrame = {
  type: string
  from: Hex
  to?: Hex
  value?: Hex
  gas: Hex
  gasUsed: Hex
  input: Hex
  output?: Hex
  error?: string
  revertReason?: string
  calls?: CallFrame[]
}

/** The calls of a transaction, outermost first. */
export function useCallTree(hash: Hex, isSealed: boolean) {
  return useQuery({
    queryKey: ['fixed', 'callTree', hash],
    enabled: isSealed,
    queryFn: () => rpc<CallFrame>('debug_traceTransaction', hash, { tracer: 'callTracer' }),
  })
}

export type AccountState = { balance?: Hex; nonce?: number; code?: Hex; storage?: Record<Hex, Hex> }
export type StateDiff = { pre: Record<Hex, AccountState>; post: Record<Hex, AccountState> }

/** What a transaction changed. */
export function useStateDiff(hash: Hex, isSealed: boolean) {
  return useQuery({
    queryKey: ['fixed', 'stateDiff', hash],
    enabled: isSealed,
    queryFn: () =>
      rpc<StateDiff>('debug_traceTransaction', hash, {
        tracer: 'prestateTracer',
        tracerConfig: { diffMode: true },
      }),
  })
}
