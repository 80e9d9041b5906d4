import { WorkspaceList } from '../features/workspaces/components/WorkspaceList.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function WorkspacesPage() {
  return (
    <>
      <PageTitle tab="Workspaces" title="Workspaces" />
      <WorkspaceList />
    </>
  )
}
