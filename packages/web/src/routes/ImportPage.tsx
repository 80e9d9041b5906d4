import { PageTitle } from '../ui/PageTitle.tsx'

export function ImportPage() {
  return <PageTitle tab="Import" title="Import" />
}
