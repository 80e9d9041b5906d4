import { NetworkList } from '../features/networks/components/NetworkList.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function NetworksPage() {
  return (
    <>
      <PageTitle tab="Networks" title="Networks" />
      <NetworkList />
    </>
  )
}
