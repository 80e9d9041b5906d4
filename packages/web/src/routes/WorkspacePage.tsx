import { PageTitle } from '../ui/PageTitle.tsx'

export function WorkspacePage() {
  return <PageTitle tab="Workspace" title="Workspace" />
}
