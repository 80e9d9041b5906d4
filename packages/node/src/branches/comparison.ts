import type { Account, Address, Word } from '@understudy/evm'
import { wrongCursor } from '../activity/page.ts'
import type { FunctionOverride } from '../overrides/functionOverrides.ts'
import { NetworkError } from '../shared/errors.ts'
import { type LoadingView, loadAccount, loadSlots } from '../state/view.ts'
import type { Queries } from '../storage/database.ts'
import { type ChangedKeys, loadChangedKeys } from '../storage/records/branchChanges.ts'
import type { BranchComparison, BranchDifference, OverrideDifference } from './branch.ts'
import type { OpenNetwork } from './branchPoint.ts'
import type { CommonAncestor } from './commonAncestor.ts'

const rowLimit = 1_000_000
const keyLimit = 100_000
/** Keys whose values are read for a page, which then ends early. Those that are not local are asked of upstream. */
const readLimit = 1000
/** Overrides that are shown of those that differ. */
const overrideLimit = 100

type Networks = { a: OpenNetwork; b: OpenNetwork }

/** A slot, or the fields of an account. */
type Key = { address: Address; slot: Word | undefined }

/**
 * What differs between two networks in the keys that were written after their common ancestor, in order of address and slot. The
 * fields of an account are on one page, which may have two more than `limit` for them.
 */
export async function compare(
  { a, b }: Networks,
  { limit, cursor }: { limit: number; cursor: string | undefined },
  { queries, commonAncestor }: { queries: Queries; commonAncestor: CommonAncestor },
): Promise<BranchComparison> {
  const changed = await loadChangedKeys(queries, commonAncestor.changes, { rowLimit, keyLimit })
  if (!changed)
    throw new NetworkError('LIMIT_EXCEEDED', {
      what: 'the accounts and slots that were written after the common ancestor of the networks',
      limit: keyLimit,
    })
  const keys = keysAfter(changed, cursor)
  const read = keys.slice(0, readLimit)
  const differences = await loadDifferences({ a, b }, read)
  const items: BranchDifference[] = []
  let done = 0
  while (done < read.length && items.length < limit) items.push(...(differences[done++] ?? []))
  const last = read[done - 1]
  const overrides = differingOverrides(a.services.overrides.list(), b.services.overrides.list())
  const heads = { a: a.history.head().header.number, b: b.history.head().header.number }
  const common = [BigInt(commonAncestor.block), heads.a, heads.b].reduce((low, each) => (each < low ? each : low))
  return {
    items: await withVariables({ a, b }, items),
    next: last && done < keys.length ? cursorOf(last) : undefined,
    blocks: { common, ...heads },
    overrides: overrides.slice(0, overrideLimit),
    overrideCount: overrides.length,
  }
}

const cursorOf = ({ address, slot }: Key) => (slot === undefined ? address : `${address}.${slot}`)

function keysAfter(changed: ChangedKeys, cursor: string | undefined): Key[] {
  if (cursor !== undefined && !/^0x[\da-f]{40}(\.0x[\da-f]{64})?$/.test(cursor)) throw wrongCursor()
  const keys: Key[] = []
  for (const address of [...changed.keys()].sort())
    for (const slot of [undefined, ...[...(changed.get(address) ?? [])].sort()])
      if (cursor === undefined || cursorOf({ address, slot }) > cursor) keys.push({ address, slot })
  return keys
}

/** What differs of each key. */
async function loadDifferences({ a, b }: Networks, keys: readonly Key[]): Promise<BranchDifference[][]> {
  const [readA, readB] = await Promise.all([loadValues(a.state.latest(), keys), loadValues(b.state.latest(), keys)])
  return keys.map(({ address, slot }): BranchDifference[] => {
    if (slot !== undefined) {
      const values = { a: readA.slot(address, slot), b: readB.slot(address, slot) }
      return values.a === values.b ? [] : [{ address, field: 'storage', slot, variables: [], ...values }]
    }
    const [inA, inB] = [readA.account(address), readB.account(address)]
    const differences: BranchDifference[] = [
      { address, field: 'balance', a: inA.balance, b: inB.balance },
      { address, field: 'nonce', a: inA.nonce, b: inB.nonce },
      { address, field: 'code', a: inA.codeHash, b: inB.codeHash },
    ]
    return differences.filter((each) => each.a !== each.b)
  })
}

/** Reads keys of one state. */
async function loadValues(view: LoadingView, keys: readonly Key[]) {
  const words = new Map<Address, Word[]>()
  const accounts: Address[] = []
  for (const { address, slot } of keys)
    if (slot === undefined) accounts.push(address)
    else words.set(address, [...(words.get(address) ?? []), slot])
  const wanted = keys.flatMap(({ address, slot }): [Address, Word][] => (slot === undefined ? [] : [[address, slot]]))
  await view.load({ accounts, codes: [], slots: wanted, blockHashes: [] })
  const loaded = new Map<Address, Account>()
  for (const address of accounts) loaded.set(address, await loadAccount(view, address))
  const slots = new Map<Address, ReadonlyMap<Word, bigint>>()
  for (const [address, each] of words) slots.set(address, await loadSlots(view, address, each))
  return {
    account: (address: Address) => loaded.get(address) as Account,
    slot: (address: Address, slot: Word) => slots.get(address)?.get(slot) ?? 0n,
  }
}

/** Names the variables of slots by the layout that one of both knows. */
async function withVariables({ a, b }: Networks, items: readonly BranchDifference[]): Promise<BranchDifference[]> {
  const words = new Map<Address, Word[]>()
  for (const item of items)
    if (item.field === 'storage') words.set(item.address, [...(words.get(item.address) ?? []), item.slot])
  const paths = new Map<Address, ReadonlyMap<Word, string[]>>()
  for (const [address, slots] of words) {
    const inA = await a.services.dashboards.slotPaths(address, slots)
    paths.set(address, inA.size > 0 ? inA : await b.services.dashboards.slotPaths(address, slots))
  }
  return items.map((item) =>
    item.field === 'storage' ? { ...item, variables: paths.get(item.address)?.get(item.slot) ?? [] } : item,
  )
}

/** A copy that a branch began with has the same id. */
function differingOverrides(inA: readonly FunctionOverride[], inB: readonly FunctionOverride[]): OverrideDifference[] {
  const byId = (list: readonly FunctionOverride[]) => new Map(list.map((override) => [override.id, override]))
  const [a, b] = [byId(inA), byId(inB)]
  return [...new Set([...a.keys(), ...b.keys()])]
    .map((id) => ({ a: a.get(id), b: b.get(id) }))
    .filter((pair) => JSON.stringify(pair.a) !== JSON.stringify(pair.b))
}
