import { Accounts } from '../features/network/components/Accounts.tsx'
import { Differences } from '../features/network/components/Differences.tsx'
import { Fidelity } from '../features/network/components/Fidelity.tsx'
import { Heads } from '../features/network/components/Heads.tsx'
import { Health } from '../features/network/components/Health.tsx'
import { MiningMode } from '../features/network/components/MiningMode.tsx'
import { Pool } from '../features/network/components/Pool.tsx'
import { RecentBlocks, RecentTransactions } from '../features/network/components/RecentActivity.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

/** Where there is one column, the transactions come first, and then what differs from the live chain. */
const column =
  'contents xl:grid xl:content-start xl:gap-4 max-xl:[&>*]:order-3 max-xl:[&>:first-child]:order-2 max-xl:first:[&>:first-child]:order-1'

/** The state and the activity of the network, and what differs from the live chain. */
export function NetworkPage() {
  return (
    <>
      <PageTitle tab="Network" title="Network" note={<Health />} actions={<MiningMode />} />
      <Heads />
      <div className="grid gap-4 xl:grid-cols-2">
        <div className={column}>
          <RecentTransactions />
          <Pool />
          <RecentBlocks />
        </div>
        <div className={column}>
          <Differences />
          <Accounts />
          <Fidelity />
        </div>
      </div>
    </>
  )
}
