import { useNavigate, useSearch } from '@tanstack/react-router'
import { OverrideList } from '../features/overrides/components/OverrideList.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function OverridesPage() {
  const { contract, abi } = useSearch({ from: '/overrides' })
  const navigate = useNavigate({ from: '/overrides' })
  return (
    <>
      <PageTitle tab="Overrides" title="Overrides" />
      <OverrideList
        key={`${contract}${abi}`}
        prefilled={contract || abi ? { contract: contract ?? '', abi: abi ?? '' } : undefined}
        onClose={() => void navigate({ search: {}, replace: true })}
      />
    </>
  )
}
