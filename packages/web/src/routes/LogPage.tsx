import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChangeList } from '../features/log/components/ChangeList.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function LogPage() {
  const { method } = useSearch({ from: '/log' })
  const navigate = useNavigate({ from: '/log' })
  return (
    <>
      <PageTitle tab="Log" title="Log" note="Requests that changed the network" />
      <ChangeList method={method} onMethod={(next) => void navigate({ search: { method: next }, replace: true })} />
    </>
  )
}
