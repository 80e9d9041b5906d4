import { WalletRequests } from '../features/wallet/components/WalletRequests.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function WalletPage() {
  return (
    <>
      <PageTitle tab="Wallet" title="Wallet" />
      <WalletRequests />
    </>
  )
}
