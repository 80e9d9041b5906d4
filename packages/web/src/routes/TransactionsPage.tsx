import { useNavigate, useSearch } from '@tanstack/react-router'
import { TransactionList } from '../features/blocks/components/TransactionList.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function TransactionsPage() {
  const search = useSearch({ from: '/transactions' })
  const navigate = useNavigate({ from: '/transactions' })
  return (
    <>
      <PageTitle tab="Transactions" title="Transactions" />
      <TransactionList
        search={search}
        onSearch={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
      />
    </>
  )
}
