import type { Hex } from 'viem'
import { CallFrames } from '../../../components/CallFrames.tsx'
import { useCallTree } from '../api/transaction.ts'
import { SealedPanel } from './SealedPanel.tsx'

/** The calls within a transaction, with the gas of each. */
export function CallTree({ hash, isSealed }: { hash: Hex; isSealed: boolean }) {
  const query = useCallTree(hash, isSealed)
  return (
    <SealedPanel isSealed={isSealed} appears="Calls appear" query={query} what="calls">
      {(trace) => <CallFrames root={trace} />}
    </SealedPanel>
  )
}
