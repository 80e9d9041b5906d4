import type { Address, Word } from '@understudy/evm'
import { emptyCodeHash } from '../ethereum/constants.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Queries } from '../storage/database.ts'
import {
  addFollowedBalance,
  addFollows,
  endFollows,
  type FollowedBalance,
  type FollowRecord,
  loadFollowedBalances,
  loadLastFollowedSlot,
  type TokenHolder,
} from '../storage/records/state/follows.ts'
import type { BaseState } from '../upstream/cache/baseState.ts'
import type { Base } from '../upstream/wantedState.ts'
import { BaseView } from './baseView.ts'
import type { CurrentState } from './currentState.ts'
import { FollowSet } from './followSet.ts'
import type { Released } from './release.ts'
import { loadAccount } from './view.ts'

/** Follows, and other operations that return state to upstream. */
export type StateFollow = {
  follows(): FollowSet
  /**
   * Follows these keys and clears their local state. Throws `ACCOUNT_NOT_ON_UPSTREAM`, `NOT_A_FORK`.
   * @returns the number of cleared local slots.
   */
  follow(targets: readonly FollowRecord[]): Promise<number>
  /** Stops following these keys; returns those that were followed. */
  unfollow(targets: readonly FollowRecord[]): Promise<FollowRecord[]>
  /** Follows the slot of a token balance, as `follow`, and notes for which balance it is. */
  followBalance(balance: FollowedBalance): Promise<number>
  /**
   * Stops following the slots that are followed for a token balance. Returns their number, and the last of them:
   * `undefined` if none ever was.
   */
  unfollowBalance(pair: TokenHolder): Promise<{ removed: number; slot: Word | undefined }>
  /** The followed token balances, by token and holder. */
  loadFollowedBalances(): Promise<FollowedBalance[]>
  /** Clears all local state of an account. Throws `ACCOUNT_NOT_ON_UPSTREAM`, `NOT_A_FORK`. */
  resync(address: Address): Promise<Released>
  /** Passes upstream's head, from which followed keys are read. */
  setLive(head: Base): void
  /** The head that followed keys are read from; `undefined` while nothing is followed. */
  live(): Base | undefined
}

type Needs = {
  current: CurrentState
  queries: Queries
  exclusive<T>(task: () => Promise<T>): Promise<T>
  baseStates: (base: Base) => BaseState
}

/** `isFork`: false if nothing is forked, so that nothing can be followed. */
export function createStateFollow(
  { isFork }: { isFork: boolean },
  { current, queries, exclusive, baseStates }: Needs,
): StateFollow {
  function requireFork(what: string): void {
    if (!isFork) throw new NetworkError('NOT_A_FORK', { what })
  }

  /** A contract that exists only here has no state upstream. */
  async function requireOnUpstream(addresses: readonly Address[]): Promise<void> {
    await current.local.load(addresses, new Map())
    const upstream = new BaseView(baseStates(current.live))
    for (const address of addresses) {
      const codeHash = current.local.account(address)?.codeHash
      if (codeHash === undefined || codeHash === emptyCodeHash) continue
      const account = await loadAccount(upstream, address)
      if (account.codeHash === emptyCodeHash && account.nonce === 0n && account.balance === 0n)
        throw new NetworkError('ACCOUNT_NOT_ON_UPSTREAM', { address })
    }
  }

  async function follow(targets: readonly FollowRecord[], balance?: FollowedBalance): Promise<number> {
    requireFork('following')
    await requireOnUpstream(targets.map(({ address }) => address))
    const fresh = targets.filter((target) => !current.follows.has(target))
    const noted = balance && (await loadFollowedBalances(queries, current.seq, balance))
    const isNew = noted?.every(({ address, slot }) => address !== balance?.address || slot !== balance.slot)
    if (fresh.length === 0 && !isNew) return 0
    const { slots } = await current.release(fresh, 'follow', async (transaction, seq) => {
      await addFollows(transaction, seq, fresh)
      if (balance && isNew) await addFollowedBalance(transaction, seq, balance)
    })
    current.show(new FollowSet([...current.follows.records(), ...fresh]))
    return slots
  }

  async function unfollow(targets: readonly FollowRecord[]): Promise<FollowRecord[]> {
    const ended = targets.filter((target) => current.follows.has(target))
    if (ended.length === 0) return []
    await current.release([], 'unfollow', (transaction, seq) => endFollows(transaction, seq, ended))
    current.show(await current.loadFollows())
    return ended
  }

  return {
    follows: () => current.follows,
    follow: (targets) => exclusive(() => follow(targets)),
    unfollow: (targets) => exclusive(() => unfollow(targets)),
    followBalance: (balance) => {
      const { address, slot } = balance
      return exclusive(() => follow([{ address, slot }], balance))
    },
    unfollowBalance: (pair) =>
      exclusive(async () => {
        const ended = await unfollow(await loadFollowedBalances(queries, current.seq, pair))
        return { removed: ended.length, slot: await loadLastFollowedSlot(queries, pair) }
      }),
    loadFollowedBalances: () => loadFollowedBalances(queries, current.seq),
    resync: (address) =>
      exclusive(async () => {
        requireFork('a resync')
        await requireOnUpstream([address])
        const released = await current.release([{ address, slot: undefined }], 'resync')
        current.show()
        return released
      }),
    setLive: (head) => current.setLive(head),
    live: () => (current.follows.isEmpty ? undefined : current.live),
  }
}
