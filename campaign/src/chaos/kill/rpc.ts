import { postJsonRpc } from '@understudy/testkit'
import type { Address, Hex } from 'viem'

/** Any method of a network. A refusal is a `JsonRpcError`, a network that is gone something else. */
export type Rpc = <T = unknown>(method: string, ...params: unknown[]) => Promise<T>

export const rpcOf =
  (url: string): Rpc =>
  (method, ...params) =>
    postJsonRpc(url, method, params)

export type RpcReceipt = {
  transactionHash: Hex
  transactionIndex: Hex
  blockNumber: Hex
  blockHash: Hex
  status: Hex
  logs: { logIndex: Hex; transactionHash: Hex; blockHash: Hex; address: Address; data: Hex; topics: Hex[] }[]
}

export type RpcBlock = {
  number: Hex
  hash: Hex
  parentHash: Hex
  stateRoot: Hex
  transactions: Hex[]
}

export const quantity = (value: number | bigint): Hex => `0x${value.toString(16)}`
