import type { Address, Engine } from '@understudy/evm'
import type { TransactionSerializable } from 'viem'
import type { CallRequest, Execution, ExecutionPoint } from '../execution/execution.ts'
import { runLoaded } from '../execution/run.ts'
import type { Senders } from '../execution/senders.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'
import { messageFrom } from './builder.ts'
import { decodeStoredTransaction, decodeTransaction, encodeImpersonated, type Transaction } from './transaction.ts'

/** What the network offers a miner when nobody says otherwise, in wei per gas. */
export const defaultPriorityFee = 1_000_000_000n

/**
 * Refuses what could never run, as geth's pool does, and loads the state that the transaction needs, so that sealing it
 * does not wait for upstream. `later` says that a base fee that is too high now may fall.
 */
export async function admit(
  transaction: Transaction,
  point: ExecutionPoint,
  { engine, chainId, later }: { engine: Engine; chainId: bigint; later: boolean },
): Promise<void> {
  if (transaction.chainId !== undefined && transaction.chainId !== chainId)
    throw new NetworkError('TRANSACTION_INVALID', {
      text: `invalid chain id for signer: have ${transaction.chainId} want ${chainId}`,
    })
  try {
    const message = messageFrom(transaction, point.block.baseFee)
    await runLoaded(engine, message, point.block, point.view, { kind: 'transaction' })
  } catch (error) {
    if (isNetworkError(error, 'NONCE_TOO_HIGH')) return
    if (later && isNetworkError(error, 'FEE_CAP_TOO_LOW')) return
    throw error
  }
}

/** Makes a transaction out of a request: fills in what it leaves out, and signs it or stands in for a signature. */
export async function transactionFromRequest(
  request: CallRequest & { from: Address },
  point: ExecutionPoint,
  { execution, senders, chainId, nonce }: { execution: Execution; senders: Senders; chainId: bigint; nonce: bigint },
): Promise<Transaction> {
  const { from } = request
  const { baseFee, fork } = point.block
  const gas = request.gas ?? (await execution.estimateGas(request, point))
  const isLegacy = request.gasPrice !== undefined || fork === 'berlin'
  const tip = request.maxPriorityFeePerGas ?? capped(defaultPriorityFee, request.maxFeePerGas)
  const fees = isLegacy
    ? { gasPrice: request.gasPrice ?? defaultPriorityFee }
    : { maxPriorityFeePerGas: tip, maxFeePerGas: request.maxFeePerGas ?? 2n * baseFee + tip }
  const serializable = {
    chainId: Number(chainId),
    nonce: Number(request.nonce ?? nonce),
    gas,
    to: request.to,
    value: request.value ?? 0n,
    data: hexFromBytes(request.data ?? new Uint8Array()),
    ...fees,
    ...(request.accessList && { accessList: request.accessList }),
    type: isLegacy ? (request.accessList ? 'eip2930' : 'legacy') : 'eip1559',
  } as TransactionSerializable
  const signed = await senders.signTransaction(from, serializable)
  if (signed) return decodeTransaction(signed)
  return decodeStoredTransaction(encodeImpersonated(serializable, from), from)
}

const capped = (value: bigint, limit: bigint | undefined) => (limit !== undefined && limit < value ? limit : value)
