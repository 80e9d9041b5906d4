import type { Address, Hex, Word } from '@understudy/evm'
import { sql } from 'kysely'
import type { Queries } from '../storage/database.ts'
import type { ShadowedTransaction, ShadowKind } from '../storage/records/chain/shadowedTransactions.ts'
import type { ShadowDetail } from './shadowBlock.ts'

/** Transactions that diverged in the same way in the same function. */
export type DivergenceGroup = {
  to: Address | undefined
  contract: string | undefined
  /** The signature of the function, if it is known. */
  function: string | undefined
  selector: Hex | undefined
  kind: ShadowKind
  isCascade: boolean
  /** A sentence, without the numbers that differ from one to the next. */
  cause: string
  count: number
  newest: { block: bigint; hash: Word }
}

/** What came of the transactions of some blocks. */
export type ShadowedSpan = { from: bigint; to: bigint } & Record<ShadowKind, number>

/** At most so many spans of equal length. */
const spanLimit = 60
const causeLimit = 200

/** Why a transaction came out otherwise, in the words of others that did so for the same reason. */
export function causeOf({ kind, fields }: Pick<ShadowedTransaction, 'kind' | 'fields'>, detail: ShadowDetail): string {
  const { live, shadow, reason } = detail
  if (kind === 'unreproducible') return 'It does not come out as on the live chain on its own state'
  if (kind === 'refused') return withoutNumbers(reason ?? 'It cannot be in a block here')
  if (!fields.includes('status')) return `It has other ${fields.join(', ')}`
  if (live?.status === 'failed') return 'It succeeds here'
  return withoutNumbers(`It fails here: ${shadow?.reason ?? 'no reason'}`)
}

const withoutNumbers = (text: string) => text.replace(/0x[\da-f]+|\d+/gi, '…').slice(0, causeLimit)

/** By spans of blocks, oldest first. */
export async function loadShadowedSpans(queries: Queries, from: bigint, to: bigint): Promise<ShadowedSpan[]> {
  const size = Number((to - from) / BigInt(spanLimit)) + 1
  const first = Number(from)
  const span = sql<number>`(block_number - ${sql.lit(first)}) / ${sql.lit(size)}`
  const rows = await queries
    .selectFrom('shadowed_transactions')
    .select(['kind', span.as('span'), ({ fn }) => fn.countAll<number>().as('count')])
    .where('block_number', '>=', first)
    .where('block_number', '<=', Number(to))
    .groupBy(['kind', span])
    .execute()
  const count = Math.ceil((Number(to - from) + 1) / size)
  const spans = Array.from({ length: count }, (_, index): ShadowedSpan => {
    const start = from + BigInt(index * size)
    const end = start + BigInt(size) - 1n
    return { from: start, to: end < to ? end : to, same: 0, diverged: 0, refused: 0, unreproducible: 0 }
  })
  for (const row of rows) {
    const found = spans[Number(row.span)]
    if (found) found[row.kind as ShadowKind] = Number(row.count)
  }
  return spans
}

/** The first and the last block with shadowed transactions, within given ones. */
export async function loadShadowedRange(
  queries: Queries,
  { fromBlock, toBlock }: { fromBlock?: bigint | undefined; toBlock?: bigint | undefined },
): Promise<{ from: bigint; to: bigint } | undefined> {
  let query = queries.selectFrom('shadowed_transactions')
  if (fromBlock !== undefined) query = query.where('block_number', '>=', Number(fromBlock))
  if (toBlock !== undefined) query = query.where('block_number', '<=', Number(toBlock))
  const row = await query
    .select(({ fn }) => [fn.min('block_number').as('from'), fn.max('block_number').as('to')])
    .executeTakeFirst()
  if (!row || row.from === null || row.to === null) return undefined
  return { from: BigInt(row.from), to: BigInt(row.to) }
}
