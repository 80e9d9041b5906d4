import type { Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import type { AskOptional } from '../chain/origins.ts'
import { currentBudget } from '../shared/budget/requestBudget.ts'
import { quantity } from '../shared/hex.ts'

/** Transactions that are asked for at a time. The transport lets through as many that may be slow. */
const concurrency = 4

type UpstreamBlock = { number: bigint; hash: Word }

type Needs = { history: Pick<History, 'loadBlock'>; ask: AskOptional }

/** Upstream's traces of a block of its own: in one call, or by transaction where it refuses that. `undefined` if it refuses both. */
export async function askBlockTraces(block: UpstreamBlock, config: object, needs: Needs): Promise<unknown> {
  const whole = await needs.ask('debug_traceBlockByHash', [block.hash, config], { hasFallback: true })
  return whole ?? askEachTrace(block, config, needs)
}

/**
 * The first transaction is asked for alone, so an endpoint that traces nothing is asked once. Each of the others counts as a value
 * of the live chain. `undefined` if one is refused, or upstream no longer has the block.
 */
async function askEachTrace(block: UpstreamBlock, config: object, { history, ask }: Needs) {
  const found = await history.loadBlock({ hash: block.hash })
  if (found?.origin !== 'upstream') return undefined
  const { transactions } = found.value
  if (!Array.isArray(transactions)) return undefined
  const hashes: readonly unknown[] = transactions
  const results: unknown[] = []
  let next = 0
  let isRefused = false

  async function askNext(): Promise<void> {
    const index = next++
    if (index > 0) currentBudget()?.keys.take(1)
    const answer = await ask('debug_traceTransaction', [hashes[index], config], { hasFallback: true })
    results[index] = answer
    isRefused ||= answer === undefined || answer === null
  }

  async function askOthers(): Promise<void> {
    try {
      while (next < hashes.length && !isRefused) await askNext()
    } catch (error) {
      isRefused = true
      throw error
    }
  }

  if (hashes.length === 0) return []
  await askNext()
  await Promise.all(Array.from({ length: concurrency }, askOthers))
  if (isRefused || !(await isCanonical(block, ask))) return undefined
  return hashes.map((txHash, index) => ({ txHash, result: results[index] }))
}

/** A reorg may have put its transactions into another block, in which they were traced then. */
async function isCanonical({ number, hash }: UpstreamBlock, ask: AskOptional): Promise<boolean> {
  const now = (await ask('eth_getBlockByNumber', [quantity(number), false])) as { hash?: unknown } | null | undefined
  return now?.hash === hash
}
