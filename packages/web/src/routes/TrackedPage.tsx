import { PageTitle } from '../ui/PageTitle.tsx'

export function TrackedPage() {
  return <PageTitle tab="Tracked" title="Tracked" />
}
