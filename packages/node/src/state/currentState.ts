import type { Address, StateDiff, Word } from '@understudy/evm'
import { zeroWord } from '../ethereum/constants.ts'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import { bytesFromHex } from '../shared/hex.ts'
import { keccak } from '../shared/keccak.ts'
import { encodeRlp } from '../shared/rlp/encodeRlp.ts'
import type { Database, Queries } from '../storage/database.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'
import {
  addFollowedBalance,
  addFollows,
  endFollowedBalances,
  endFollows,
  type FollowedBalance,
  type FollowRecord,
  loadFollowedBalances,
  loadFollows,
  revertFollows,
} from '../storage/records/state/follows.ts'
import {
  type LocalAccountRecord,
  removeVersionsAfter,
  type StateVersions,
  saveVersions,
  wipeVersions,
} from '../storage/records/state/localState.ts'
import { loadNewestSeq } from '../storage/records/state/seq.ts'
import { addSlotReverts } from '../storage/records/state/slotReverts.ts'
import { addStateCause, type StateCause } from '../storage/records/state/stateCauses.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import type { BaseState } from '../upstream/cache/baseState.ts'
import type { Base } from '../upstream/wantedState.ts'
import type { Change, CommitOutcome, OtherState, RevertOutcome, StatePoint } from './change.ts'
import { loadChangesSince } from './changesSince.ts'
import { FollowSet } from './followSet.ts'
import { LocalState, versionsOf } from './localState.ts'
import { commitmentAfterRelease, notLocal, type Released, releaseOf } from './release.ts'
import { NetworkView } from './view.ts'

type Needs = {
  database: Database
  baseStates: (base: Base) => BaseState
  engine: Pick<Engine, 'advance' | 'retreat'>
  clock: Pick<Clock, 'now'>
}

/** `origin`: the block at which the network was forked. `base`: the head's base. `live`: upstream's head. */
export type StateStart = { origin: bigint; base: Base; live: Base }

type Stored = { seq: number; commitment: Word; follows: FollowSet; noncesMayRepeat: boolean }

const noncesKey = 'noncesMayRepeat'
const loadNoncesMayRepeat = async (queries: Queries) => (await loadSetting<boolean>(queries, noncesKey)) ?? false

/** The newest state in memory, and the changes to it. Every change runs inside `exclusive`. */
export class CurrentState {
  /** The number of the last change. */
  seq: number
  /** The state root of the next header if nothing else changes. */
  commitment: Word
  base: Base
  live: Base
  follows: FollowSet
  /** Whether the nonce of an account may have gone back, so that a transaction of a sealed block may be valid again. */
  noncesMayRepeat: boolean
  latest: NetworkView
  readonly local: LocalState
  readonly #origin: bigint
  readonly #needs: Needs

  private constructor(
    { origin, base, live }: StateStart,
    { seq, commitment, follows, noncesMayRepeat }: Stored,
    needs: Needs,
  ) {
    this.#origin = origin
    this.#needs = needs
    this.seq = seq
    this.commitment = commitment
    this.base = base
    this.live = live
    this.follows = follows
    this.noncesMayRepeat = noncesMayRepeat
    this.local = new LocalState(needs.database, seq)
    this.latest = this.viewOf(this)
  }

  /** The stored state. */
  static async open(start: StateStart, needs: Needs): Promise<CurrentState> {
    const { queries } = needs.database
    const seq = await loadNewestSeq(queries)
    const commitment = (await loadSetting<Word>(queries, 'commitment')) ?? zeroWord
    const follows = new FollowSet(await loadFollows(queries, seq))
    const noncesMayRepeat = await loadNoncesMayRepeat(queries)
    return new CurrentState(start, { seq, commitment, follows, noncesMayRepeat }, needs)
  }

  viewOf(point: { seq: number; base: Base; live: Base; follows: FollowSet }, identity: object = {}): NetworkView {
    const { database, baseStates } = this.#needs
    return new NetworkView({
      database,
      current: this.local,
      seq: point.seq,
      base: baseStates(point.base),
      origin: this.#origin,
      live: point.follows.isEmpty ? undefined : { follows: point.follows, state: baseStates(point.live) },
      identity,
    })
  }

  /** Publishes the current state. */
  show(follows: FollowSet = this.follows, identity?: object): void {
    this.follows = follows
    this.latest = this.viewOf(this, identity)
  }

  async loadFollows(seq = this.seq): Promise<FollowSet> {
    return new FollowSet(await loadFollows(this.#needs.database.queries, seq))
  }

  setLive(head: Base): void {
    if (head.hash === this.live.hash) return
    this.live = head
    if (!this.follows.isEmpty) this.show()
  }

  async commit(changes: readonly Change[], outcome: CommitOutcome): Promise<void> {
    const records = await this.#requireLocalRecords(changes.map(({ diff }) => diff))
    const before = this.seq + (outcome.stored ?? 0)
    const steps = changes.map(({ diff, wipe, writers }, index) => {
      const number = before + 1 + index
      if (wipe) for (const address of records.keys()) records.set(address, notLocal)
      return { diff, wipe, writers, number, versions: versionsOf(diff, number, records) }
    })
    const commitment = changes.at(-1)?.commitment ?? this.commitment
    await this.#needs.database.transaction(async (transaction) => {
      for (const run of runsOf(steps)) {
        const [{ wipe, number, versions }] = run
        if (wipe) wipe.done(await wipeVersions(transaction, number, wipe.keep, versions))
        await saveVersions(transaction, run)
      }
      if (changes.some(({ wipe }) => wipe)) await this.noteNoncesBack(transaction)
      await outcome.save?.(transaction, this.seq + 1)
      if (commitment !== this.commitment) await saveSetting(transaction, 'commitment', commitment)
    })
    if (outcome.stored) this.local.clear(before)
    for (const { diff, number, versions, wipe } of steps) {
      if (wipe) this.local.clear(number)
      this.local.advance(number, versions, diff.cleared)
    }
    this.seq = before + steps.length
    this.commitment = commitment
    this.base = outcome.base
    this.show(this.follows, outcome.identity)
    outcome.shown?.()
  }

  /** The local records of accounts before a change. */
  async #requireLocalRecords(diffs: readonly StateDiff[]): Promise<Map<Address, LocalAccountRecord>> {
    const records = new Map<Address, LocalAccountRecord>()
    const addresses = new Set(diffs.flatMap((diff) => [...diff.accounts.keys(), ...diff.cleared, ...diff.slots.keys()]))
    await this.local.load(addresses, new Map())
    for (const address of addresses) {
      const account = this.local.account(address)
      if (!account) throw new Error(`the local record of ${address} could not be loaded`)
      records.set(address, account)
    }
    return records
  }

  /** Releases state and stores `save` in the same transaction; calls `show` afterwards. */
  async release(
    targets: readonly FollowRecord[],
    cause: StateCause,
    save: (queries: Queries, seq: number) => Promise<void> = async () => {},
  ): Promise<Released> {
    const { versions, released } = await releaseOf(this.#needs.database.queries, targets, this.seq)
    const commitment = commitmentAfterRelease(this.commitment, versions)
    const number = await this.#store(versions, commitment, cause, async (transaction, seq) => {
      if (targets.some(({ slot }) => slot === undefined)) await this.noteNoncesBack(transaction)
      await save(transaction, seq)
    })
    this.local.advance(number, versions, new Set())
    return released
  }

  /** Stores versions with a number of their own, and returns it. */
  async #store(
    versions: StateVersions,
    commitment: Word,
    cause: StateCause,
    save: (queries: Queries, seq: number) => Promise<void>,
  ): Promise<number> {
    const number = this.seq + 1
    await this.#needs.database.transaction(async (transaction) => {
      await saveVersions(transaction, [{ number, versions }])
      await saveSetting(transaction, 'commitment', commitment)
      await this.addCause(transaction, number, cause)
      await save(transaction, number)
    })
    this.seq = number
    this.commitment = commitment
    return number
  }

  /** Takes over what differs from the state of another network, and what that follows, and publishes it. */
  async takeOver(
    { versions, commitment, follows, balances }: OtherState,
    save: (queries: Queries) => Promise<void>,
  ): Promise<void> {
    const begun = follows.records().filter((target) => !this.follows.has(target))
    const ended = this.follows.records().filter((target) => !follows.has(target))
    const both = keccak(encodeRlp([bytesFromHex(this.commitment), bytesFromHex(commitment)]))
    const number = await this.#store(versions, both, 'promoteBranch', async (transaction, seq) => {
      await this.noteNoncesBack(transaction)
      await endFollows(transaction, seq, ended)
      await addFollows(transaction, seq, begun)
      const own = await loadFollowedBalances(transaction, seq)
      await endFollowedBalances(transaction, seq, without(own, balances))
      for (const balance of without(balances, own)) await addFollowedBalance(transaction, seq, balance)
      await save(transaction)
    })
    this.local.clear(number)
    this.show(await this.loadFollows())
  }

  /** Stores a change that does not affect state, with its own number. */
  async mark(save: (queries: Queries, seq: number) => Promise<void>): Promise<void> {
    const number = this.seq + 1
    await this.#needs.database.transaction((transaction) => save(transaction, number))
    this.local.advance(number, { accounts: new Map(), slots: new Map(), codes: new Map() }, new Set())
    this.seq = number
    this.show(this.follows, this.latest.identity)
  }

  /** Notes in the transaction of a change that the nonce of an account may be smaller after it. */
  async noteNoncesBack(queries: Queries): Promise<void> {
    this.noncesMayRepeat = true
    await saveSetting(queries, noncesKey, true)
  }

  /** Notes in the transaction of a change why it is made. */
  addCause(queries: Queries, seq: number, cause: StateCause): Promise<void> {
    return addStateCause(queries, seq, cause, this.#needs.clock.now())
  }

  async revert(to: StatePoint, { before, save }: RevertOutcome): Promise<void> {
    // Numbers are never reused: a view of reverted state must not match the new state.
    const number = this.seq + 1
    let changesFollows = false
    await this.#needs.database.transaction(async (transaction) => {
      await before?.(transaction)
      await addSlotReverts(transaction, number, to.seq, this.#needs.clock.now())
      await removeVersionsAfter(transaction, to.seq)
      changesFollows = await revertFollows(transaction, to.seq)
      await save(transaction, number)
      await saveSetting(transaction, 'commitment', to.commitment)
    })
    this.seq = number
    const undone = this.local.revert(to.seq, number)
    const isSameBase = to.base.hash === this.base.hash
    this.commitment = to.commitment
    this.base = to.base
    const { identity } = this.latest
    const follows = changesFollows ? await this.loadFollows() : this.follows
    const isLocal = this.follows.isEmpty && follows.isEmpty
    this.show(follows)
    if (undone && isSameBase && isLocal) this.#needs.engine.retreat(identity, this.latest.identity, undone)
  }

  /** Loads what another node stored; `base` is that of the latest block. */
  async refresh({ queries, isChanged }: ChangeNotice, base: Base): Promise<void> {
    const seq = await loadNewestSeq(queries)
    const commitment = (await loadSetting<Word>(queries, 'commitment')) ?? zeroWord
    this.noncesMayRepeat ||= await loadNoncesMayRepeat(queries)
    const isOther = isChanged('follows') || isChanged('rewinds')
    const follows = isOther ? new FollowSet(await loadFollows(queries, seq)) : this.follows
    const changes = isChanged('rewinds') ? undefined : await loadChangesSince(queries, this.local, seq)
    if (changes) for (const change of changes.steps) this.local.advance(change.seq, change.versions, change.cleared)
    else this.local.clear(seq)
    this.local.forgetUndo()
    const isWarm = changes?.diff !== undefined && !isOther && base.hash === this.base.hash
    const isSame = isWarm && seq === this.seq
    this.seq = seq
    this.commitment = commitment
    this.base = base
    this.follows = follows
    if (isSame) return
    const before = this.latest.identity
    const after = {}
    this.show(follows, after)
    if (isWarm && changes?.diff) this.#needs.engine.advance(before, after, changes.diff)
  }
}

/** The token balances that are not among others. */
function without(balances: readonly FollowedBalance[], others: readonly FollowedBalance[]): FollowedBalance[] {
  const keyOf = ({ token, holder, address, slot }: FollowedBalance) => [token, holder, address, slot].join()
  const known = new Set(others.map(keyOf))
  return balances.filter((balance) => !known.has(keyOf(balance)))
}

/**
 * Groups of changes that can be stored together: a wipe starts a new group, because it must find earlier changes
 * stored.
 */
function runsOf<Step extends { wipe: Change['wipe'] }>(steps: readonly Step[]): [Step, ...Step[]][] {
  const runs: [Step, ...Step[]][] = []
  for (const step of steps) {
    const run = runs.at(-1)
    if (run && !step.wipe) run.push(step)
    else runs.push([step])
  }
  return runs
}
