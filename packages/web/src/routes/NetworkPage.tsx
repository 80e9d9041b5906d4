import { Accounts } from '../features/network/components/Accounts.tsx'
import { Drift } from '../features/network/components/Drift.tsx'
import { Fidelity } from '../features/network/components/Fidelity.tsx'
import { Followed } from '../features/network/components/Followed.tsx'
import { Heads } from '../features/network/components/Heads.tsx'
import { Health } from '../features/network/components/Health.tsx'
import { MiningMode } from '../features/network/components/MiningMode.tsx'
import { OverridesInForce } from '../features/network/components/OverridesInForce.tsx'
import { Pool } from '../features/network/components/Pool.tsx'
import { RecentActivity } from '../features/network/components/RecentActivity.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

/** The state and the activity of the network, and what differs from the live chain. */
export function NetworkPage() {
  return (
    <>
      <PageTitle tab="Network" title="Network" note={<Health />} actions={<MiningMode />} />
      <Heads />
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="min-w-0 space-y-4">
          <RecentActivity />
          <Pool />
        </div>
        <div className="min-w-0 space-y-4">
          <Drift />
          <OverridesInForce />
          <Followed />
          <Accounts />
          <Fidelity />
        </div>
      </div>
    </>
  )
}
