import { BranchList } from '../features/branches/components/BranchList.tsx'
import { SnapshotList } from '../features/snapshots/components/SnapshotList.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function SnapshotsPage() {
  return (
    <>
      <PageTitle tab="Snapshots" title="Snapshots" />
      <SnapshotList />
      <BranchList />
    </>
  )
}
