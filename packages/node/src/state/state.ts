import type { Address, Engine, StateDiff, Word } from '@understudy/evm'
import { createMutex } from '../shared/mutex.ts'
import type { Database, Queries } from '../storage/database.ts'
import { type LocalAccountRecord, removeVersionsAfter, saveVersions } from '../storage/records/localState.ts'
import { loadNewestSeq } from '../storage/records/seq.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'
import type { Base, BaseState } from '../upstream/baseState.ts'
import { emptyDiff, nextCommitment } from './diff.ts'
import { LocalState, versionsOf } from './localState.ts'
import { loadAccount, NetworkView } from './view.ts'

/** Direct writes: they take effect at once in `latest`, and are durable before they resolve. */
export type StateWrites = {
  setBalance(address: Address, wei: bigint): Promise<void>
  /** Returns the new balance. */
  addBalance(address: Address, wei: bigint): Promise<bigint>
  setNonce(address: Address, nonce: bigint): Promise<void>
  setCode(address: Address, code: Uint8Array): Promise<void>
  setStorageAt(address: Address, slot: Word, value: bigint): Promise<void>
  /** Several at once, as one change. */
  write(diff: StateDiff): Promise<void>
}

/** A change that is about to become part of the network. */
export type Change = {
  diff: StateDiff
  /** What the state commits to after it; see `nextCommitment`. */
  commitment: Word
  /** Stored with it, in the same SQL transaction. */
  save(queries: Queries, seq: number): Promise<void>
}

/** A state that the network had, to which it can go back. */
export type StatePoint = { seq: number; base: Base; commitment: Word }

export type State = StateWrites & {
  /** Runs `task` alone: nothing else changes the state meanwhile. */
  exclusive<T>(task: () => Promise<T>): Promise<T>
  /** The newest state. The same object until it changes. */
  latest(): NetworkView
  /** The state after the change `seq` above another base. */
  at(seq: number, base: Base): NetworkView
  /** The number of the last change. */
  seq(): number
  /** What the next header has as its state root, if nothing changes any more. */
  commitment(): Word
  /**
   * Makes changes part of the network, in their order and in one SQL transaction; moves to `base`. Only inside `exclusive`.
   * `identity` is that of a view that already showed this state, so that the engine stays warm.
   */
  commit(changes: readonly Change[], base: Base, identity?: object): Promise<void>
  /** Goes back to a point, forgetting every change after it. Only inside `exclusive`. */
  revert(to: StatePoint, save: (queries: Queries) => Promise<void>): Promise<void>
}

type Needs = {
  database: Database
  baseStates: (base: Base) => BaseState
  engine: Pick<Engine, 'advance'>
}

const zeroHash: Word = `0x${'00'.repeat(32)}`

/** Opens the state as it was stored. `origin` is the block at which the network left upstream, `base` that of its head. */
export async function createState(
  options: { origin: bigint; base: Base },
  { database, baseStates, engine }: Needs,
): Promise<State> {
  const mutex = createMutex()
  const { queries } = database
  let seq = await loadNewestSeq(queries)
  let commitment = (await loadSetting<Word>(queries, 'commitment')) ?? zeroHash
  let base = options.base
  const current = new LocalState(database, seq)
  let latest = viewOf(seq, base, {})

  function viewOf(at: number, over: Base, identity: object): NetworkView {
    return new NetworkView({ database, current, seq: at, base: baseStates(over), origin: options.origin, identity })
  }

  /** The local records of accounts, which a change builds on. */
  async function requireLocalRecords(diffs: readonly StateDiff[]): Promise<Map<Address, LocalAccountRecord>> {
    const records = new Map<Address, LocalAccountRecord>()
    const addresses = new Set(diffs.flatMap((diff) => [...diff.accounts.keys(), ...diff.cleared, ...diff.slots.keys()]))
    await current.load(addresses, new Map())
    for (const address of addresses) {
      const account = current.account(address)
      if (!account) throw new Error(`the local record of ${address} could not be loaded`)
      records.set(address, account)
    }
    return records
  }

  async function commit(changes: readonly Change[], nextBase: Base, identity: object = {}): Promise<void> {
    const records = await requireLocalRecords(changes.map(({ diff }) => diff))
    const steps = changes.map(({ diff, save }, index) => {
      const number = seq + 1 + index
      const versions = versionsOf(diff, number, records)
      return { diff, save, number, versions }
    })
    const newCommitment = changes.at(-1)?.commitment ?? commitment
    await database.transaction(async (transaction) => {
      for (const { save, number, versions } of steps) {
        await saveVersions(transaction, number, versions)
        await save(transaction, number)
      }
      if (newCommitment !== commitment) await saveSetting(transaction, 'commitment', newCommitment)
    })
    for (const { diff, number, versions } of steps) current.advance(number, versions, diff.cleared)
    seq += steps.length
    commitment = newCommitment
    base = nextBase
    latest = viewOf(seq, base, identity)
  }

  async function writeNow(diff: StateDiff): Promise<void> {
    const before = latest.identity
    const after = {}
    await commit([{ diff, commitment: nextCommitment(commitment, diff), save: async () => {} }], base, after)
    engine.advance(before, after, diff)
  }

  const write = (diff: StateDiff) => mutex.run(() => writeNow(diff))
  const ofAccount = (address: Address, fields: { balance?: bigint; nonce?: bigint; code?: Uint8Array }): StateDiff => ({
    ...emptyDiff(),
    accounts: new Map([[address, fields]]),
  })

  return {
    exclusive: (task) => mutex.run(task),
    latest: () => latest,
    at: (at, over) => (at === seq && over.hash === base.hash ? latest : viewOf(at, over, {})),
    seq: () => seq,
    commitment: () => commitment,
    commit,
    async revert(to, save) {
      await database.transaction(async (transaction) => {
        await removeVersionsAfter(transaction, to.seq)
        await save(transaction)
        await saveSetting(transaction, 'commitment', to.commitment)
      })
      // Numbers are not used twice: a view of what was taken back must never take the new state for its own.
      seq += 1
      current.clear(seq)
      commitment = to.commitment
      base = to.base
      latest = viewOf(seq, base, {})
    },

    write,
    setBalance: (address, wei) => write(ofAccount(address, { balance: wei })),
    addBalance: (address, wei) =>
      mutex.run(async () => {
        const balance = (await loadAccount(latest, address)).balance + wei
        await writeNow(ofAccount(address, { balance }))
        return balance
      }),
    setNonce: (address, nonce) => write(ofAccount(address, { nonce })),
    setCode: (address, code) => write(ofAccount(address, { code })),
    setStorageAt: (address, slot, value) =>
      write({ ...emptyDiff(), slots: new Map([[address, new Map([[slot, value]])]]) }),
  }
}
