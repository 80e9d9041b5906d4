import { NetworkError } from '../shared/errors.ts'
import type { CallPosition } from '../storage/records/activity/calls.ts'

/** Pagination of a list, newest first. */
export type PageQuery = {
  limit: number
  /** `next` of the previous page. */
  cursor: string | undefined
  fromBlock: bigint | undefined
  toBlock: bigint | undefined
}

/** `next` is the cursor of the next page; `undefined` on the last one. */
export type PageOf<Item> = { items: Item[]; next: string | undefined }

/** Loads a page of the history. `load` returns at most `limit` entries older than `before`. */
export async function loadPage<Item extends CallPosition>(
  query: PageQuery,
  load: (page: { limit: number; before: CallPosition | undefined }) => Promise<Item[]>,
): Promise<PageOf<Item>> {
  const { limit, fromBlock = 0n } = query
  const found = await load({ limit: limit + 1, before: firstBefore(query) })
  const items = found.slice(0, limit).filter(({ blockNumber }) => blockNumber >= fromBlock)
  const [last, after] = [items.at(-1), found[items.length]]
  return { items, next: last && after && after.blockNumber >= fromBlock ? cursorOf(last) : undefined }
}

/** The position before which the page begins. */
function firstBefore({ cursor, toBlock }: PageQuery): CallPosition | undefined {
  const after = cursor === undefined ? undefined : positionFrom(cursor)
  if (toBlock === undefined) return after
  const end: CallPosition = { blockNumber: toBlock + 1n, transactionPosition: 0, position: 0 }
  return after && after.blockNumber < end.blockNumber ? after : end
}

const cursorOf = ({ blockNumber, transactionPosition, position }: CallPosition) =>
  `${blockNumber}.${transactionPosition}.${position}`

function positionFrom(cursor: string): CallPosition {
  const [, block, transaction, position] = /^(\d{1,15})\.(\d{1,9})\.(\d{1,9})$/.exec(cursor) ?? []
  if (block === undefined) throw wrongCursor()
  return { blockNumber: BigInt(block), transactionPosition: Number(transaction), position: Number(position) }
}

export function wrongCursor(): NetworkError {
  return new NetworkError('INVALID_PARAMS', {
    field: 'cursor',
    problem: 'is not a cursor of this list. Pass next of the previous page, or omit it',
  })
}
