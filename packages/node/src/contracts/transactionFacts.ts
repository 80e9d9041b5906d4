import type { Address, Hex, Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import { type FrameTransaction, frameTransactionFromRpc } from '../ethereum/encodings/frameTransaction.ts'
import type { Receipt } from '../ethereum/receipt.ts'
import { senderFromRpc } from '../ethereum/upstreamMessage.ts'
import { hexFromBytes } from '../shared/hex.ts'

/** The fields of a local or upstream transaction that are decoded. Wei and gas. */
export type TransactionFacts = {
  hash: Word
  origin: 'local' | 'upstream'
  from: Address
  /** `undefined` for a contract creation. */
  to: Address | undefined
  value: bigint
  input: Hex
  /** What a frame transaction consists of, instead of one call. */
  frameTransaction: FrameTransaction | undefined
  /** `undefined` while it is pending. */
  sealed: SealedFacts | undefined
}

export type SealedFacts = {
  blockNumber: bigint
  /** Index in the block. */
  position: number
  succeeded: boolean
  gasUsed: bigint
  contractAddress: Address | undefined
  logs: { logIndex: number; address: Address; topics: Word[]; data: Hex }[]
}

type Raw = Record<string, string | null>

/** `undefined` if there is no such transaction. */
export async function loadTransactionFacts(
  history: Pick<History, 'loadTransaction' | 'loadReceipt'>,
  hash: Word,
): Promise<TransactionFacts | undefined> {
  const found = await history.loadTransaction(hash)
  if (!found) return undefined
  const receipt = await history.loadReceipt(hash)
  const sealed = receipt && (receipt.origin === 'local' ? sealedOf(receipt.value) : sealedOfUpstream(receipt.value))
  if (found.origin === 'local') {
    const { from, to, value, data } = found.value.transaction
    return { hash, origin: 'local', from, to, value, input: hexFromBytes(data), frameTransaction: undefined, sealed }
  }
  const { to, value, input } = found.value as Raw
  return {
    hash,
    origin: 'upstream',
    from: senderFromRpc(found.value),
    to: (to as Address | null) ?? undefined,
    value: BigInt(value ?? 0),
    input: (input ?? '0x') as Hex,
    frameTransaction: frameTransactionFromRpc(found.value),
    sealed,
  }
}

function sealedOf(receipt: Receipt): SealedFacts {
  const { blockNumber, transactionIndex, status, gasUsed, contractAddress, logs } = receipt
  return {
    blockNumber,
    position: transactionIndex,
    succeeded: status === 'success',
    gasUsed,
    contractAddress,
    logs,
  }
}

function sealedOfUpstream(raw: Record<string, unknown>): SealedFacts {
  const { blockNumber, transactionIndex, status, gasUsed, contractAddress } = raw as Raw
  return {
    blockNumber: BigInt(blockNumber ?? 0),
    position: Number(transactionIndex),
    succeeded: BigInt(status ?? 1) === 1n,
    gasUsed: BigInt(gasUsed ?? 0),
    contractAddress: (contractAddress as Address | null) ?? undefined,
    logs: ((raw.logs ?? []) as (Raw & { topics: Word[] })[]).map((log) => ({
      logIndex: Number(log.logIndex),
      address: log.address as Address,
      topics: log.topics,
      data: log.data as Hex,
    })),
  }
}
