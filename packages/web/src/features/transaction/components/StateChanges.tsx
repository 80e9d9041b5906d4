import type { Hex } from 'viem'
import { AccountDiffs } from '../../../components/AccountDiffs.tsx'
import { useStateDiff } from '../api/transaction.ts'
import { SealedPanel } from './SealedPanel.tsx'

/** What a transaction changed: before → after. */
export function StateChanges({ hash, isSealed }: { hash: Hex; isSealed: boolean }) {
  const query = useStateDiff(hash, isSealed)
  return (
    <SealedPanel isSealed={isSealed} appears="State changes appear" query={query} what="state changes">
      {(diff) => <AccountDiffs diff={diff} />}
    </SealedPanel>
  )
}
