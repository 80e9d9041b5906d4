import { NetworkError } from '../shared/errors.ts'
import type { Queries } from '../storage/database.ts'
import { loadChangedKeys } from '../storage/records/branchChanges.ts'
import type { NetworkParts } from './branchPoint.ts'
import type { CommonAncestor } from './commonAncestor.ts'
import { localDifference } from './difference.ts'

/** What was written of accounts and slots; more is too much for one change. */
const keyLimit = 100_000
/** A slot that every block writes has a row for each. */
const rowLimit = 1_000_000

export type Promoted = {
  accounts: number
  slots: number
  /** The snapshot of the parent before it. */
  snapshot: bigint
}

/**
 * Puts the parent of a branch at the state of the branch, in one change. Nothing else changes both while it runs. Throws
 * `LIMIT_EXCEEDED`.
 */
export async function promote(
  branch: NetworkParts & { name: string },
  parent: NetworkParts,
  { queries, commonAncestor }: { queries: Queries; commonAncestor: () => CommonAncestor },
): Promise<Promoted> {
  // The lock of the parent is taken first, as by a promotion to the parent of the parent.
  return parent.state.exclusive(() =>
    branch.state.exclusive(async () => {
      const ancestor = commonAncestor()
      const keys = await loadChangedKeys(queries, ancestor.changes, { rowLimit, keyLimit })
      if (!keys)
        throw new NetworkError('LIMIT_EXCEEDED', {
          what: 'the accounts and slots that were written since the branch left its parent. Use the branch itself, at its url',
          limit: keyLimit,
        })
      const { versions, accounts, slots } = await localDifference(branch, parent, keys, ancestor)
      let snapshot = 0n
      const other = {
        versions,
        commitment: branch.state.commitment(),
        follows: branch.state.follows(),
        balances: await branch.state.loadFollowedBalances(),
      }
      await parent.state.takeOver(other, async (transaction) => {
        snapshot = await parent.rewinds.saveSnapshot(transaction, `before branch ${branch.name} was promoted`)
      })
      return { accounts, slots, snapshot }
    }),
  )
}
