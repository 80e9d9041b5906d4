import { DivergenceCounts } from '../features/shadow/components/DivergenceCounts.tsx'
import { Divergences } from '../features/shadow/components/Divergences.tsx'
import { Invariants } from '../features/shadow/components/Invariants.tsx'
import { ShadowPanel } from '../features/shadow/components/ShadowPanel.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function ShadowPage() {
  return (
    <>
      <PageTitle tab="Shadow" title="Shadow" />
      <ShadowPanel />
      <DivergenceCounts />
      <Divergences />
      <Invariants />
    </>
  )
}
