import type { Address, StateDiff, Word } from '@understudy/evm'
import { emptyCodeHash, zeroWord } from '../ethereum/constants.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import { createMutex } from '../shared/mutex.ts'
import type { ChangeNotice } from '../storage/changeNotice.ts'
import type { Database, Queries } from '../storage/database.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'
import {
  addFollows,
  endFollows,
  type FollowRecord,
  loadFollows,
  revertFollows,
} from '../storage/records/state/follows.ts'
import {
  type KeptSlots,
  type LocalAccountRecord,
  removeVersionsAfter,
  saveVersions,
  wipeVersions,
} from '../storage/records/state/localState.ts'
import { loadNewestSeq } from '../storage/records/state/seq.ts'
import type { BaseState } from '../upstream/baseState.ts'
import type { Base } from '../upstream/wantedState.ts'
import { BaseView } from './baseView.ts'
import { loadChangesSince } from './changesSince.ts'
import { emptyDiff, nextCommitment } from './diff.ts'
import { FollowSet } from './followSet.ts'
import { LocalState, versionsOf } from './localState.ts'
import { commitmentAfterRelease, notLocal, type Released, releaseOf } from './release.ts'
import { loadAccount, loadStorage, NetworkView } from './view.ts'

/** A variable in its slot: `offset` and `size` count bytes from the low end. `value` fits into them. */
export type StorageVariable = { slot: Word; offset: number; size: number; value: bigint }

/** Direct writes: they take effect at once in `latest`, and are durable before they resolve. */
export type StateWrites = {
  setBalance(address: Address, wei: bigint): Promise<void>
  /** Returns the new balance. */
  addBalance(address: Address, wei: bigint): Promise<bigint>
  setNonce(address: Address, nonce: bigint): Promise<void>
  setCode(address: Address, code: Uint8Array): Promise<void>
  setStorageAt(address: Address, slot: Word, value: bigint): Promise<void>
  /** Sets the bytes of one variable, in two's complement, and keeps the others of its slot. Returns the new slot. */
  setStorageVariable(address: Address, variable: StorageVariable): Promise<bigint>
  /** Several at once, as one change. */
  write(diff: StateDiff): Promise<void>
}

/** A change that is about to become part of the network. */
export type Change = {
  diff: StateDiff
  /** What the state commits to after it; see `nextCommitment`. */
  commitment: Word
  /** Set when everything local goes first, but for these slots. */
  wipe?: { keep: KeptSlots; done(released: Released): void }
}

/** What changes bring about, beside themselves. */
export type CommitOutcome = {
  /** The block of upstream above which the network is then. */
  base: Base
  /** Of a view that already showed this state, so that the engine stays warm. */
  identity?: object | undefined
  /** Stores what belongs to the changes, in the same SQL transaction; the first of them has the number `seq`. */
  save?(queries: Queries, seq: number): Promise<void>
}

/** A state that the network had, to which it can go back. */
export type StatePoint = { seq: number; base: Base; commitment: Word }

/** What is followed, and what else gives state back to upstream. */
export type StateFollow = {
  follows(): FollowSet
  /**
   * From now on these read upstream's head; local state of theirs is given back. Throws `NOT_ON_UPSTREAM`, `NOTHING_FORKED`.
   * @returns how many local slots were given back.
   */
  follow(targets: readonly FollowRecord[]): Promise<number>
  /** Ends that; returns those that were followed. */
  unfollow(targets: readonly FollowRecord[]): Promise<FollowRecord[]>
  /** Gives all local state of an account back. Throws `NOT_ON_UPSTREAM`, `NOTHING_FORKED`. */
  resync(address: Address): Promise<Released>
  /** Tells of upstream's head, of which followed state is read. */
  setLive(head: Base): void
  /** Upstream's head as followed state is read of it; `undefined` while nothing is followed. */
  live(): Base | undefined
}

export type State = StateWrites &
  StateFollow & {
    /** Runs `task` alone: nothing else changes the state meanwhile. */
    exclusive<T>(task: () => Promise<T>): Promise<T>
    /** The newest state. The same object until it changes. */
    latest(): NetworkView
    /** The state after the change `seq` above another base; `live` is upstream's head then. */
    at(seq: number, base: Base, live: Base | undefined): Promise<NetworkView>
    /** The newest state, above another base and with what is followed read at `live`; without local state for what a wipe would leave. */
    above(base: Base, live: Base | undefined, local: 'with local state' | 'without local state'): NetworkView
    /** The number of the last change. */
    seq(): number
    /** What the next header has as its state root, if nothing changes any more. */
    commitment(): Word
    /**
     * Makes changes part of the network, in their order and in one SQL transaction. Only inside `exclusive`.
     */
    commit(changes: readonly Change[], outcome: CommitOutcome): Promise<void>
    /**
     * Stores what is in force from now on, and leaves state as it is: blocks sealed before it have smaller numbers than `seq`,
     * those after it greater ones. `then` runs before anything else changes.
     */
    mark(save: (queries: Queries, seq: number) => Promise<void>, then: () => void): Promise<void>
    /** Goes back to a point, forgetting every change after it; that is a change with a number of its own. Only inside `exclusive`. */
    revert(to: StatePoint, save: NonNullable<CommitOutcome['save']>): Promise<void>
    /** Takes in what another node stored; `base` is that of the newest block. Only inside `exclusive`. */
    refresh(notice: ChangeNotice, base: Base): Promise<void>
  }

type Needs = {
  database: Database
  baseStates: (base: Base) => BaseState
  engine: Pick<Engine, 'advance'>
}

type StateOptions = {
  /** False for a network that forks nothing: nothing can be followed there. */
  isFork: boolean
  /** The block at which the network left upstream. */
  origin: bigint
  /** The base of the network's head. */
  base: Base
  /** Upstream's head. */
  live: Base
}

/** Opens the state as it was stored. */
export async function createState(options: StateOptions, { database, baseStates, engine }: Needs): Promise<State> {
  const mutex = createMutex()
  const { queries } = database
  let seq = await loadNewestSeq(queries)
  let commitment = (await loadSetting<Word>(queries, 'commitment')) ?? zeroWord
  let { base, live } = options
  let follows = new FollowSet(await loadFollows(queries, seq))
  const current = new LocalState(database, seq)
  let latest = viewOf({ seq, base, live, follows })

  function viewOf(
    point: { seq: number; base: Base; live: Base; follows: FollowSet },
    identity: object = {},
  ): NetworkView {
    return new NetworkView({
      database,
      current,
      seq: point.seq,
      base: baseStates(point.base),
      origin: options.origin,
      live: point.follows.isEmpty ? undefined : { follows: point.follows, state: baseStates(point.live) },
      identity,
    })
  }

  /** Shows the state as it is now. */
  function show(identity?: object): void {
    latest = viewOf({ seq, base, live, follows }, identity)
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

  async function commit(changes: readonly Change[], outcome: CommitOutcome): Promise<void> {
    const records = await requireLocalRecords(changes.map(({ diff }) => diff))
    const steps = changes.map(({ diff, wipe }, index) => {
      const number = seq + 1 + index
      if (wipe) for (const address of records.keys()) records.set(address, notLocal)
      return { diff, wipe, number, versions: versionsOf(diff, number, records) }
    })
    const newCommitment = changes.at(-1)?.commitment ?? commitment
    await database.transaction(async (transaction) => {
      for (const run of runsOf(steps)) {
        const [{ wipe, number, versions }] = run
        if (wipe) wipe.done(await wipeVersions(transaction, number, wipe.keep, versions.accounts.keys()))
        await saveVersions(transaction, run)
      }
      await outcome.save?.(transaction, seq + 1)
      if (newCommitment !== commitment) await saveSetting(transaction, 'commitment', newCommitment)
    })
    for (const { diff, number, versions, wipe } of steps) {
      if (wipe) current.clear()
      current.advance(number, versions, diff.cleared)
    }
    seq += steps.length
    commitment = newCommitment
    base = outcome.base
    show(outcome.identity)
  }

  function requireNotFollowed(diff: StateDiff): void {
    if (follows.isEmpty) return
    for (const address of diff.accounts.keys())
      if (follows.hasAccount(address)) throw new NetworkError('ACCOUNT_FOLLOWED', { address })
    for (const [address, slots] of diff.slots)
      for (const slot of slots.keys())
        if (follows.hasSlot(address, slot)) throw new NetworkError('SLOT_FOLLOWED', { address, slot })
  }

  async function writeNow(diff: StateDiff): Promise<void> {
    requireNotFollowed(diff)
    const before = latest.identity
    const after = {}
    await commit([{ diff, commitment: nextCommitment(commitment, diff) }], { base, identity: after })
    engine.advance(before, after, diff)
  }

  /** Gives state back to upstream, and stores `save` with it. */
  async function release(
    targets: readonly FollowRecord[],
    save: (queries: Queries, seq: number) => Promise<void> = async () => {},
  ): Promise<Released> {
    const number = seq + 1
    const { versions, released } = await releaseOf(queries, targets, seq)
    const newCommitment = commitmentAfterRelease(commitment, versions)
    await database.transaction(async (transaction) => {
      await saveVersions(transaction, [{ number, versions }])
      await saveSetting(transaction, 'commitment', newCommitment)
      await save(transaction, number)
    })
    current.advance(number, versions, new Set())
    seq = number
    commitment = newCommitment
    return released
  }

  function requireFork(what: string): void {
    if (!options.isFork) throw new NetworkError('NOTHING_FORKED', { what })
  }

  /** A contract that was made here and that upstream knows nothing of has nothing to read there. */
  async function requireOnUpstream(addresses: readonly Address[]): Promise<void> {
    await current.load(addresses, new Map())
    const upstream = new BaseView(baseStates(live))
    for (const address of addresses) {
      const codeHash = current.account(address)?.codeHash
      if (codeHash === undefined || codeHash === emptyCodeHash) continue
      const account = await loadAccount(upstream, address)
      if (account.codeHash === emptyCodeHash && account.nonce === 0n && account.balance === 0n)
        throw new NetworkError('NOT_ON_UPSTREAM', { address })
    }
  }

  const write = (diff: StateDiff) => mutex.run(() => writeNow(diff))
  const ofAccount = (address: Address, fields: { balance?: bigint; nonce?: bigint; code?: Uint8Array }): StateDiff => ({
    ...emptyDiff(),
    accounts: new Map([[address, fields]]),
  })

  const ofSlot = (address: Address, slot: Word, value: bigint): StateDiff => ({
    ...emptyDiff(),
    slots: new Map([[address, new Map([[slot, value]])]]),
  })

  return {
    exclusive: (task) => mutex.run(task),
    latest: () => latest,
    async at(at, over, liveThen) {
      if (at === seq && over.hash === base.hash) return latest
      const then = liveThen ?? over
      return viewOf({ seq: at, base: over, live: then, follows: new FollowSet(await loadFollows(queries, at)) })
    },
    above: (over, liveThen, local) =>
      viewOf({ seq: local === 'with local state' ? seq : 0, base: over, live: liveThen ?? over, follows }),
    seq: () => seq,
    commitment: () => commitment,
    commit,
    mark: (save, then) =>
      mutex.run(async () => {
        const number = seq + 1
        await database.transaction((transaction) => save(transaction, number))
        current.advance(number, { accounts: new Map(), slots: new Map(), codes: new Map() }, new Set())
        seq = number
        show(latest.identity)
        then()
      }),
    async revert(to, save) {
      // Numbers are not used twice: a view of what was taken back must never take the new state for its own.
      const number = seq + 1
      await database.transaction(async (transaction) => {
        await removeVersionsAfter(transaction, to.seq)
        await revertFollows(transaction, to.seq)
        await save(transaction, number)
        await saveSetting(transaction, 'commitment', to.commitment)
      })
      seq = number
      current.clear(seq)
      commitment = to.commitment
      base = to.base
      follows = new FollowSet(await loadFollows(queries, seq))
      show()
    },

    async refresh({ queries: notice, isChanged }, nextBase) {
      const newest = await loadNewestSeq(notice)
      const newCommitment = (await loadSetting<Word>(notice, 'commitment')) ?? zeroWord
      const isOther = isChanged('follows') || isChanged('rewinds')
      const newFollows = isOther ? new FollowSet(await loadFollows(notice, newest)) : follows
      const changes = isChanged('rewinds') ? undefined : await loadChangesSince(notice, current, newest)
      if (changes) for (const change of changes.steps) current.advance(change.seq, change.versions, change.cleared)
      else current.clear(newest)
      const isWarm = changes?.diff !== undefined && !isOther && nextBase.hash === base.hash
      const isSame = isWarm && newest === seq
      seq = newest
      commitment = newCommitment
      base = nextBase
      follows = newFollows
      if (isSame) return
      const before = latest.identity
      const after = {}
      show(after)
      if (isWarm && changes?.diff) engine.advance(before, after, changes.diff)
    },

    follows: () => follows,
    follow: (targets) =>
      mutex.run(async () => {
        requireFork('following')
        await requireOnUpstream(targets.map(({ address }) => address))
        const fresh = targets.filter((target) => !follows.has(target))
        if (fresh.length === 0) return 0
        const { slots } = await release(fresh, (transaction, number) => addFollows(transaction, number, fresh))
        follows = new FollowSet([...follows.records(), ...fresh])
        show()
        return slots
      }),
    unfollow: (targets) =>
      mutex.run(async () => {
        const ended = targets.filter((target) => follows.has(target))
        if (ended.length === 0) return []
        await release([], (transaction, number) => endFollows(transaction, number, ended))
        follows = new FollowSet(await loadFollows(queries, seq))
        show()
        return ended
      }),
    resync: (address) =>
      mutex.run(async () => {
        requireFork('a resync')
        await requireOnUpstream([address])
        const released = await release([{ address, slot: undefined }])
        show()
        return released
      }),
    setLive(head) {
      if (head.hash === live.hash) return
      live = head
      if (!follows.isEmpty) show()
    },
    live: () => (follows.isEmpty ? undefined : live),

    write,
    setBalance: (address, wei) => write(ofAccount(address, { balance: wei })),
    addBalance: (address, wei) =>
      mutex.run(async () => {
        const balance = (await loadAccount(latest, address)).balance + wei
        if (balance >> 256n !== 0n)
          throw new NetworkError('INVALID_PARAMS', { field: 'amount', problem: 'the sum is more than 2^256-1' })
        await writeNow(ofAccount(address, { balance }))
        return balance
      }),
    setNonce: (address, nonce) => write(ofAccount(address, { nonce })),
    setCode: (address, code) => write(ofAccount(address, { code })),
    setStorageAt: (address, slot, value) => write(ofSlot(address, slot, value)),
    setStorageVariable: (address, { slot, offset, size, value }) =>
      mutex.run(async () => {
        const shift = BigInt(offset * 8)
        const mask = ((1n << BigInt(size * 8)) - 1n) << shift
        const others = (await loadStorage(latest, address, slot)) & ~mask
        const word = others | (BigInt.asUintN(size * 8, value) << shift)
        await writeNow(ofSlot(address, slot, word))
        return word
      }),
  }
}

/** Changes that can be stored together: a wipe, which begins a run, has to find stored what was before it. */
function runsOf<Step extends { wipe: Change['wipe'] }>(steps: readonly Step[]): [Step, ...Step[]][] {
  const runs: [Step, ...Step[]][] = []
  for (const step of steps) {
    const run = runs.at(-1)
    if (run && !step.wipe) run.push(step)
    else runs.push([step])
  }
  return runs
}
