import type { Address, StateDiff } from '@understudy/evm'
import type { Queries } from '../storage/database.ts'
import {
  type LocalAccountRecord,
  loadLocalCode,
  loadVersionsSince,
  type StateVersions,
} from '../storage/records/state/localState.ts'
import { emptyDiff, mergeDiff } from './diff.ts'
import type { LocalState } from './localState.ts'

/** A change that another node made. */
type Step = { seq: number; versions: StateVersions; cleared: ReadonlySet<Address> }

/** Maximum number of versions to read; beyond that, dropping the cache is cheaper. */
const versionLimit = 5_000

/**
 * The changes after those in `current` up to the change `newest`, for `LocalState.advance`; `undefined` if they are too
 * many. `diff` has all of them for the engine; `undefined` if keys were released, which a diff cannot express.
 */
export async function loadChangesSince(
  queries: Queries,
  current: LocalState,
  newest: number,
): Promise<{ steps: Step[]; diff: StateDiff | undefined } | undefined> {
  const { seq } = current
  if (newest < seq) return undefined
  if (newest === seq) return { steps: [], diff: emptyDiff() }
  const changes = await loadVersionsSince(queries, seq, newest, versionLimit)
  if (!changes) return undefined
  const addresses = new Set(changes.flatMap(({ versions }) => [...versions.accounts.keys(), ...versions.slots.keys()]))
  await current.load(addresses, new Map())
  const records = new Map<Address, LocalAccountRecord>()
  for (const address of addresses) {
    const record = current.account(address)
    if (!record) return undefined
    records.set(address, record)
  }
  const steps: Step[] = []
  const diff = emptyDiff()
  let hasReleased = false
  for (const { seq: number, versions } of changes) {
    const step = { seq: number, versions: { ...versions, codes: new Map() }, cleared: new Set<Address>() }
    const change = emptyDiff()
    for (const [address, after] of versions.accounts) {
      const before = records.get(address) ?? after
      const fields: { balance?: bigint; nonce?: bigint; code?: Uint8Array } = {}
      if (after.balance !== undefined && after.balance !== before.balance) fields.balance = after.balance
      if (after.nonce !== undefined && after.nonce !== before.nonce) fields.nonce = after.nonce
      if (after.codeHash !== undefined && after.codeHash !== before.codeHash) {
        const code = (await loadLocalCode(queries, after.codeHash)) ?? new Uint8Array()
        fields.code = code
        if (code.length > 0) step.versions.codes.set(after.codeHash, code)
      }
      if (after.storageSeq === number) step.cleared.add(address)
      hasReleased ||= isLess(after, before)
      records.set(address, after)
      change.accounts.set(address, fields)
    }
    for (const address of step.cleared) change.cleared.add(address)
    for (const [address, values] of versions.slots) {
      const written = new Map(
        [...values].flatMap(([slot, word]) => (word === undefined ? [] : [[slot, word] as const])),
      )
      hasReleased ||= written.size < values.size
      change.slots.set(address, written)
    }
    mergeDiff(diff, change)
    steps.push(step)
  }
  if (steps.at(-1)?.seq !== newest)
    steps.push({
      seq: newest,
      versions: { accounts: new Map(), slots: new Map(), codes: new Map() },
      cleared: new Set(),
    })
  return { steps, diff: hasReleased ? undefined : diff }
}

/** Whether a field that was local no longer is. */
function isLess(after: LocalAccountRecord, before: LocalAccountRecord): boolean {
  return (['balance', 'nonce', 'codeHash', 'storageSeq'] as const).some(
    (field) => before[field] !== undefined && after[field] === undefined,
  )
}
