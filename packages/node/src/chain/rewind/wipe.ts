import type { Address, StateDiff } from '@understudy/evm'
import type { MiningMode } from '../../ethereum/miningMode.ts'
import type { Clock } from '../../shared/clock.ts'
import { nextCommitment } from '../../state/diff.ts'
import { commitmentAfterWipe, type Released } from '../../state/release.ts'
import type { State } from '../../state/state.ts'
import type { Database } from '../../storage/database.ts'
import type { KeptSlots } from '../../storage/records/state/localState.ts'
import { addStateCause } from '../../storage/records/state/stateCauses.ts'
import type { Sealer } from '../sealing/sealer.ts'
import type { AllowanceCalls } from './allowanceCalls.ts'
import { type Funding, fundedDiff } from './funding.ts'
import { loadLocalAllowances, permit2 } from './permit2.ts'

/**
 * Clears all local state except the Permit2 allowances of these spenders, and funds the accounts again, in one block. In
 * replay mode, whose blocks are those of the live chain, it belongs to the next of them, and has effect at once.
 */
export type Wipe = (routers: readonly Address[]) => Promise<WipeSummary>

export type WipeSummary = {
  blockNumber: bigint
  accountsCleared: number
  slotsCleared: number
  codesCleared: number
  allowancesKept: number
  /** Milliseconds since 1970. */
  wipedAt: number
}

type Needs = {
  database: Pick<Database, 'queries'>
  state: Pick<State, 'commit' | 'commitment' | 'follows'>
  sealer: Sealer
  mode: () => MiningMode
  /** Runs changes of the network exclusively. */
  seal<T>(task: () => Promise<T>): Promise<T>
  allowanceCalls: Pick<AllowanceCalls, 'slotsFor'>
  clock: Clock
}

export function createWipe(
  { funding }: { funding: Funding },
  { database, state, sealer, mode, seal, allowanceCalls, clock }: Needs,
): Wipe {
  /** Between two blocks, like a direct write. */
  async function wipeUnsealed(keep: KeptSlots, diff: StateDiff): Promise<Released> {
    let released: Released = { slots: 0, accounts: 0, codes: 0 }
    const done = (counted: Released) => {
      released = counted
    }
    state.follows().strip(diff)
    const commitment = nextCommitment(commitmentAfterWipe(state.commitment(), keep), diff)
    await state.commit([{ diff, commitment, wipe: { keep, done } }], {
      base: sealer.head.base,
      save: (queries, seq) => addStateCause(queries, seq, 'wipe', clock.now()),
    })
    return released
  }

  return (routers) =>
    seal(async () => {
      const { number } = sealer.head.header
      const kept = await loadLocalAllowances(database.queries, routers, number, allowanceCalls.slotsFor)
      const diff = fundedDiff(funding)
      const keep: KeptSlots = new Map([[permit2, kept]])
      const isReplaying = mode().type === 'replay'
      const { accounts, slots, codes } = isReplaying
        ? await wipeUnsealed(keep, diff)
        : await sealer.sealWiped(keep, diff)
      return {
        blockNumber: number + 1n,
        accountsCleared: accounts,
        slotsCleared: slots,
        codesCleared: codes,
        allowancesKept: kept.size,
        wipedAt: clock.now(),
      }
    })
}
