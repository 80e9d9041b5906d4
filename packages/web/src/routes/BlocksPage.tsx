import { BlockList } from '../features/blocks/components/BlockList.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function BlocksPage() {
  return (
    <>
      <PageTitle tab="Blocks" title="Blocks" />
      <BlockList />
    </>
  )
}
