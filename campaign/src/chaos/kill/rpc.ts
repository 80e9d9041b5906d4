import { postJsonRpc } from '@understudy/testkit'
import type { Address, Hex } from 'viem'

/** Calls a method of a network. Throws `JsonRpcError` for an error answer, and another error if the network is gone. */
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
