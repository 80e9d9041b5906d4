import { blobBaseFee, blobGasPerBlob } from '../../ethereum/fees.ts'
import { decodeStoredHeader, type Header } from '../../ethereum/header.ts'
import type { Hardforks } from '../../ethereum/rules.ts'
import { quantity } from '../../shared/hex.ts'
import { yieldToEventLoop } from '../../shared/yieldToEventLoop.ts'
import type { Database } from '../../storage/database.ts'
import { loadBlocks } from '../../storage/records/chain/blocks.ts'
import { loadPaidFees, type PaidFees } from '../../storage/records/chain/transactions.ts'
import type { AskUpstream } from '../origins.ts'

/** Fee statistics of consecutive blocks, oldest first. The two base fee lists have one more block. */
export type FeeHistory = {
  oldestBlock: bigint
  baseFeePerGas: bigint[]
  gasUsedRatio: number[]
  baseFeePerBlobGas: bigint[]
  blobGasUsedRatio: number[]
  /** By block and percentile; `undefined` if no percentiles were requested. */
  reward: bigint[][] | undefined
}

type RawFeeHistory = {
  oldestBlock: string
  baseFeePerGas?: string[]
  gasUsedRatio?: number[]
  baseFeePerBlobGas?: string[]
  blobGasUsedRatio?: number[]
  reward?: string[][]
}

/** Maximum number of blocks for one request, as in geth. */
const blockLimit = 1024n
/** Number of blocks whose transactions are read together. */
const blocksAtOnce = 16n

type Needs = {
  database: Database
  hardforks: Hardforks
  /** The number and the header of the block at which the network was forked. */
  origin: Header
  /** The newest block, if it is not sealed yet. */
  pending: { block: { header: Header }; receipts: readonly PaidFees[] } | undefined
  /** The header after another one. */
  nextOf(header: Header): Header
  upstream: AskUpstream | undefined
}

/** Statistics of the `count` blocks up to `newest`, on both sides of the fork. */
export async function loadFeeHistory(
  count: bigint,
  newest: bigint,
  percentiles: readonly number[] | undefined,
  { database, hardforks, origin, pending, nextOf, upstream }: Needs,
): Promise<FeeHistory> {
  const wanted = [count, blockLimit, newest + 1n].reduce((least, limit) => (limit < least ? limit : least))
  const oldest = newest - wanted + 1n
  const history: FeeHistory = {
    oldestBlock: oldest,
    baseFeePerGas: [],
    gasUsedRatio: [],
    baseFeePerBlobGas: [],
    blobGasUsedRatio: [],
    reward: percentiles && [],
  }
  if (wanted <= 0n) return { ...history, oldestBlock: 0n }

  const add = (header: Header, transactions: readonly PaidFees[]) => {
    const { blobs } = hardforks(header)
    history.baseFeePerGas.push(header.baseFeePerGas ?? 0n)
    history.gasUsedRatio.push(Number(header.gasUsed) / Number(header.gasLimit))
    history.baseFeePerBlobGas.push(blobs ? blobBaseFee(header.excessBlobGas ?? 0n, blobs) : 0n)
    history.blobGasUsedRatio.push(blobs ? Number(header.blobGasUsed ?? 0n) / Number(blobs.max * blobGasPerBlob) : 0)
    if (percentiles) history.reward?.push(rewardsOf(header, transactions, percentiles))
  }

  let last = origin
  if (oldest <= origin.number) {
    const until = newest < origin.number ? newest : origin.number
    if (upstream) {
      const raw = await upstream<RawFeeHistory>('eth_feeHistory', [
        quantity(until - oldest + 1n),
        quantity(until),
        ...(percentiles ? [percentiles] : []),
      ])
      const blocks = raw.gasUsedRatio?.length ?? 0
      const numbers = (list: string[] | undefined) => (list ?? []).slice(0, blocks).map(BigInt)
      // Upstream may return fewer blocks than requested.
      history.oldestBlock = BigInt(raw.oldestBlock)
      history.baseFeePerGas.push(...numbers(raw.baseFeePerGas))
      history.gasUsedRatio.push(...(raw.gasUsedRatio ?? []))
      history.baseFeePerBlobGas.push(
        ...(raw.baseFeePerBlobGas ? numbers(raw.baseFeePerBlobGas) : Array(blocks).fill(0n)),
      )
      history.blobGasUsedRatio.push(...(raw.blobGasUsedRatio ?? Array(blocks).fill(0)))
      if (percentiles) history.reward?.push(...(raw.reward ?? []).map((row) => row.map(BigInt)))
      if (newest < origin.number) {
        history.baseFeePerGas.push(BigInt(raw.baseFeePerGas?.[blocks] ?? 0))
        history.baseFeePerBlobGas.push(BigInt(raw.baseFeePerBlobGas?.[blocks] ?? 0))
        return history
      }
    } else add(origin, [])
  }

  const first = oldest > origin.number ? oldest : origin.number + 1n
  const newestSealed = pending ? newest - 1n : newest
  for (let from = first; from <= newestSealed; from += blocksAtOnce) {
    const to = from + blocksAtOnce - 1n < newestSealed ? from + blocksAtOnce - 1n : newestSealed
    const paid = percentiles ? await loadPaidFees(database.queries, from, to) : undefined
    for (const block of await loadBlocks(database.queries, from, to)) {
      last = decodeStoredHeader(block.header)
      add(last, paid?.get(block.number) ?? [])
    }
    await yieldToEventLoop()
  }
  if (pending) {
    last = pending.block.header
    add(last, pending.receipts)
  }
  const next = nextOf(last)
  const { blobs } = hardforks(next)
  history.baseFeePerGas.push(next.baseFeePerGas ?? 0n)
  history.baseFeePerBlobGas.push(blobs ? blobBaseFee(next.excessBlobGas ?? 0n, blobs) : 0n)
  return history
}

/** The tips at these percentiles of the block's gas. */
function rewardsOf(header: Header, transactions: readonly PaidFees[], percentiles: readonly number[]): bigint[] {
  const baseFee = header.baseFeePerGas ?? 0n
  const tips = transactions
    // A deposit pays nothing.
    .map(({ effectiveGasPrice, gasUsed }) => ({
      tip: effectiveGasPrice < baseFee ? 0n : effectiveGasPrice - baseFee,
      gasUsed,
    }))
    .sort((a, b) => (a.tip < b.tip ? -1 : a.tip > b.tip ? 1 : 0))
  return percentiles.map((percentile) => {
    const threshold = (Number(header.gasUsed) * percentile) / 100
    let gas = 0
    for (const { tip, gasUsed } of tips) {
      gas += Number(gasUsed)
      if (gas >= threshold) return tip
    }
    return tips.at(-1)?.tip ?? 0n
  })
}
