import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Hex } from 'viem'
import { TransactionDetails } from '../features/transaction/components/TransactionDetails.tsx'

export function TransactionPage() {
  const { hash } = useParams({ from: '/tx/$hash' })
  const { tab, with: other } = useSearch({ from: '/tx/$hash' })
  const navigate = useNavigate({ from: '/tx/$hash' })
  return (
    <TransactionDetails
      hash={hash as Hex}
      tab={tab}
      onTab={(next) => void navigate({ search: { tab: next }, replace: true, resetScroll: false })}
      other={other}
      onOther={(next) => void navigate({ search: { tab, with: next }, replace: true, resetScroll: false })}
    />
  )
}
