import { z } from 'zod'
import type { BundleRequest } from '../../../simulation/callBundle.ts'
import { BlockNumberOrTag } from '../blockTag.ts'
import { Address, BytesAsHex } from '../hex.ts'
import { Quantity, Quantity64 } from '../numbers.ts'
import { optional } from '../optional.ts'

/** The input of `eth_callBundle`. */
export const CallBundle = z
  .strictObject({
    txs: z.array(BytesAsHex).min(1, { error: 'is empty; pass at least one signed transaction' }),
    blockNumber: optional(Quantity64),
    stateBlockNumber: optional(BlockNumberOrTag),
    timestamp: optional(Quantity64),
    coinbase: optional(Address),
    gasLimit: optional(Quantity64),
    baseFee: optional(Quantity),
    difficulty: optional(Quantity),
  })
  .transform(({ txs, stateBlockNumber, blockNumber: number, difficulty: prevRandao, ...rest }) => {
    const { timestamp, coinbase, gasLimit, baseFee } = rest
    const values = { number, timestamp, coinbase, gasLimit, baseFee, prevRandao }
    const block = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
    const request: BundleRequest = { transactions: txs, block }
    return { request, state: stateBlockNumber ?? ('latest' as const) }
  })
  .meta({
    title: 'CallBundle',
    description:
      'an object with txs (signed transactions), and with any of blockNumber, stateBlockNumber, timestamp, coinbase, gasLimit, baseFee, difficulty',
  })
