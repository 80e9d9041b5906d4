import { TransactionList } from '../features/blocks/components/TransactionList.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function TransactionsPage() {
  return (
    <>
      <PageTitle tab="Transactions" title="Transactions" />
      <TransactionList />
    </>
  )
}
