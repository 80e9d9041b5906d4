import type { Address, Word } from '@understudy/evm'
import { type PageOf, wrongCursor } from '../activity/page.ts'
import { loadFirstLocalSlots, loadWrittenAddresses } from '../storage/records/state/localPages.ts'
import { type LocalAccountRecord, loadLocalAccounts } from '../storage/records/state/localState.ts'
import { loadSlotPaths, type StorageNeeds } from './storage.ts'

/** What is local of an account. */
export type LocalAccountState = Omit<LocalAccountRecord, 'storageSeq'> & {
  address: Address
  /** The first slots, in order. `variables`: their paths, if the storage layout is known. */
  slots: { slot: Word; value: bigint; variables: string[] }[]
  /** Counted up to `countLimit`. */
  slotCount: number
}

/** Maximum number of slots that are returned for an account. */
const slotLimit = 4
/** Maximum number of slots that are counted for an account. */
const countLimit = 1000
/** Maximum number of slots that are read for a page, which then ends early. */
const readLimit = 10_000
/** Maximum number of accounts that are read for a page: most may have been cleared. */
const addressLimit = 1000

type Needs = Pick<StorageNeeds, 'queries' | 'state' | 'knowledge' | 'library'>

/**
 * The accounts with local state, in order of address. A page may have fewer than `limit` when there are more. Throws
 * `INVALID_PARAMS`.
 */
export async function loadLocalState(
  { limit, cursor }: { limit: number; cursor: string | undefined },
  needs: Needs,
): Promise<PageOf<LocalAccountState>> {
  const { queries, state } = needs
  if (cursor !== undefined && !/^0x[\da-f]{40}$/.test(cursor)) throw wrongCursor()
  const addresses = await loadWrittenAddresses(queries, { after: cursor as Address | undefined, limit: addressLimit })
  const records = await loadLocalAccounts(queries, addresses, state.seq())
  const items: Omit<LocalAccountState, 'slots'>[] = []
  const words = new Map<Address, { slot: Word; value: bigint }[]>()
  let left = readLimit
  let last: Address | undefined
  for (const address of addresses) {
    if (items.length === limit || left <= 0) break
    last = address
    const { storageSeq, ...fields } = records.get(address) ?? untouched
    const { slots, visited } = await loadFirstLocalSlots(queries, address, storageSeq, countLimit)
    left -= 1 + visited
    const isLocal = [...Object.values(fields), storageSeq].some((field) => field !== undefined)
    if (!isLocal && slots.length === 0) continue
    items.push({ address, ...fields, slotCount: slots.length })
    words.set(address, slots.slice(0, slotLimit))
  }
  const isEnd = last === addresses.at(-1) && addresses.length < addressLimit
  return {
    items: await Promise.all(
      items.map(async (item) => ({
        ...item,
        slots: await nameSlots(item.address, words.get(item.address) ?? [], needs),
      })),
    ),
    next: isEnd ? undefined : last,
  }
}

const untouched: LocalAccountRecord = {
  balance: undefined,
  nonce: undefined,
  codeHash: undefined,
  storageSeq: undefined,
}

async function nameSlots(
  address: Address,
  slots: readonly { slot: Word; value: bigint }[],
  needs: Needs,
): Promise<LocalAccountState['slots']> {
  const words = slots.map(({ slot }) => slot)
  const paths = await loadSlotPaths(address, words, needs)
  return slots.map(({ slot, value }) => ({ slot, value, variables: paths.get(slot) ?? [] }))
}
