import type { Address } from '@understudy/evm'
import { emptyCodeHash } from '../ethereum/constants.ts'
import { NetworkError } from '../shared/errors.ts'
import { addFollows, endFollows, type FollowRecord } from '../storage/records/state/follows.ts'
import type { BaseState } from '../upstream/baseState.ts'
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
   * Follows these keys and clears their local state. Throws `NOT_ON_UPSTREAM`, `NOTHING_FORKED`.
   * @returns the number of cleared local slots.
   */
  follow(targets: readonly FollowRecord[]): Promise<number>
  /** Stops following these keys; returns those that were followed. */
  unfollow(targets: readonly FollowRecord[]): Promise<FollowRecord[]>
  /** Clears all local state of an account. Throws `NOT_ON_UPSTREAM`, `NOTHING_FORKED`. */
  resync(address: Address): Promise<Released>
  /** Passes upstream's head, from which followed keys are read. */
  setLive(head: Base): void
  /** The head that followed keys are read from; `undefined` while nothing is followed. */
  live(): Base | undefined
}

type Needs = {
  current: CurrentState
  exclusive<T>(task: () => Promise<T>): Promise<T>
  baseStates: (base: Base) => BaseState
}

/** `isFork`: false if nothing is forked, so that nothing can be followed. */
export function createStateFollow(
  { isFork }: { isFork: boolean },
  { current, exclusive, baseStates }: Needs,
): StateFollow {
  function requireFork(what: string): void {
    if (!isFork) throw new NetworkError('NOTHING_FORKED', { what })
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
        throw new NetworkError('NOT_ON_UPSTREAM', { address })
    }
  }

  return {
    follows: () => current.follows,
    follow: (targets) =>
      exclusive(async () => {
        requireFork('following')
        await requireOnUpstream(targets.map(({ address }) => address))
        const fresh = targets.filter((target) => !current.follows.has(target))
        if (fresh.length === 0) return 0
        const { slots } = await current.release(fresh, 'follow', (transaction, seq) =>
          addFollows(transaction, seq, fresh),
        )
        current.show(new FollowSet([...current.follows.records(), ...fresh]))
        return slots
      }),
    unfollow: (targets) =>
      exclusive(async () => {
        const ended = targets.filter((target) => current.follows.has(target))
        if (ended.length === 0) return []
        await current.release([], 'unfollow', (transaction, seq) => endFollows(transaction, seq, ended))
        current.show(await current.loadFollows())
        return ended
      }),
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
