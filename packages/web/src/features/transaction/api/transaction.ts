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
import type { CallFrame, StateDiff } from '../../../lib/chain/trace.ts'
import { rpc } from '../../../lib/rpc/rpc.ts'

export type TransactionDetails = {
  transaction: Transaction
  /** It is one call or creation: a transaction of a type that a later fork brings may be none. */
  isCall: boolean
  /** `undefined` while it is pending. */
  receipt: Receipt | undefined
  /** Of its block, in seconds. */
  timestamp: bigint | undefined
}

/** What the page needs of each transaction, of one that has other fields. */
const withoutCall: Pick<RpcTransaction, 'value' | 'input' | 'gas' | 'nonce'> = {
  value: '0x0',
  input: '0x',
  gas: '0x0',
  nonce: '0x0',
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
        transaction: formatTransaction({ ...withoutCall, ...raw }),
        isCall: raw.input !== undefined,
        receipt: receipt ? receiptFrom(receipt) : undefined,
        timestamp: block ? hexToBigInt(block.timestamp) : undefined,
      }
    },
  })
}

/** The calls of a transaction, outermost first, with their events and what they wrote. */
export function useCallTree(hash: Hex, isSealed: boolean) {
  return useQuery({
    queryKey: ['fixed', 'callTree', hash],
    enabled: isSealed,
    queryFn: () =>
      rpc<CallFrame>('debug_traceTransaction', hash, {
        tracer: 'callTracer',
        tracerConfig: { withLog: true, withStorage: true },
      }),
  })
}

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
