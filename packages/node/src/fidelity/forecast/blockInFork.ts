import { type BlockContext, type Fork, type Prices, pricesOf } from '@understudy/evm'

/** A block by the rules of another fork. Of the chain's own prices, it keeps those that the fork leaves as they are. */
export function blockInFork(block: BlockContext, fork: Fork): BlockContext {
  if (!block.prices) return { ...block, fork }
  const [now, then] = [pricesOf(block.fork), pricesOf(fork)]
  const kept = Object.entries(block.prices).filter(([name]) => {
    const price = name as keyof Prices
    return price === 'precompiles' || now[price] === then[price]
  })
  return { ...block, fork, prices: Object.fromEntries(kept) }
}
