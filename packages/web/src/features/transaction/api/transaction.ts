import { useQuery } from '@tanstack/react-query'
import type { Hex } from 'viem'
import {
  type RawReceipt,
  type RawTransaction,
  type Receipt,
  receiptFrom,
  type Transaction,
  transactionFrom,
} from '../../../lib/chain/transaction.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

export type TransactionDetails = {
  transaction: Transaction
  /** `undefined` while it waits. */
  receipt: Receipt | undefined
  /** Of its block, in milliseconds. */
  timestamp: number | undefined
}

/** A transaction with what became of it; `null` when there is none. */
export function useTransaction(hash: Hex) {
  return useQuery({
    queryKey: ['head', 'transaction', hash],
    async queryFn(): Promise<TransactionDetails | null> {
      const [raw, receipt] = await Promise.all([
        rpc<RawTransaction | null>('eth_getTransactionByHash', hash),
        rpc<RawReceipt | null>('eth_getTransactionReceipt', hash),
      ])
      if (!raw) return null
      const transaction = transactionFrom(raw)
      const block = raw.blockNumber
        ? await rpc<{ timestamp: Hex } | null>('eth_getBlockByNumber', raw.blockNumber, false)
        : null
      return {
        transaction,
        receipt: receipt ? receiptFrom(receipt) : undefined,
        timestamp: block ? Number(block.timestamp) * 1000 : undefined,
      }
    },
  })
}

/** A call within a transaction, as callTracer tells it. */
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

/** The calls of a transaction, the outermost first. */
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
