import { ImportArea } from '../features/imports/components/ImportArea.tsx'
import { ImportedContracts } from '../features/imports/components/ImportedContracts.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function ImportPage() {
  return (
    <>
      <PageTitle tab="Import" title="Import contracts" />
      <ImportArea />
      <ImportedContracts />
    </>
  )
}
