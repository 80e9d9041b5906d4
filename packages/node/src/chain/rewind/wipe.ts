import type { Address } from '@understudy/evm'
import type { Senders } from '../../senders/senders.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Database } from '../../storage/database.ts'
import type { Sealer } from '../sealing/sealer.ts'
import type { AllowanceCalls } from './allowanceCalls.ts'
import { fundedDiff } from './funding.ts'
import { loadLocalAllowances, permit2 } from './permit2.ts'

/**
 * Clears all local state except the Permit2 allowances of these spenders, and funds the accounts again, in one block.
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
  sealer: Sealer
  /** Runs changes of the network exclusively. */
  seal<T>(task: () => Promise<T>): Promise<T>
  senders: Pick<Senders, 'funded'>
  allowanceCalls: Pick<AllowanceCalls, 'slotsFor'>
  clock: Clock
}

/** `balance`: balance of each funded account afterwards, in wei. */
export function createWipe(
  { balance }: { balance: bigint },
  { database, sealer, seal, senders, allowanceCalls, clock }: Needs,
): Wipe {
  return (routers) =>
    seal(async () => {
      const { number } = sealer.head.header
      const kept = await loadLocalAllowances(database.queries, routers, number, allowanceCalls.slotsFor)
      const diff = fundedDiff(senders.funded(), balance)
      const { accounts, slots, codes } = await sealer.sealWiped(new Map([[permit2, kept]]), diff)
      return {
        blockNumber: sealer.head.header.number,
        accountsCleared: accounts,
        slotsCleared: slots,
        codesCleared: codes,
        allowancesKept: kept.size,
        wipedAt: clock.now(),
      }
    })
}
