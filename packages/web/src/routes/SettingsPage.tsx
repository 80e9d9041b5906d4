import { KeyForm } from '../components/KeyForm.tsx'
import { UpstreamCost } from '../features/network/components/UpstreamCost.tsx'
import { WipeSchedule } from '../features/network/components/WipeSchedule.tsx'
import { AboutNetwork } from '../features/settings/components/AboutNetwork.tsx'
import { NotificationPanel } from '../features/settings/components/NotificationPanel.tsx'
import { ThemeChoice } from '../features/settings/components/ThemeChoice.tsx'
import { TourPanel } from '../features/settings/components/TourPanel.tsx'
import { WalletPanel } from '../features/settings/components/WalletPanel.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'

export function SettingsPage() {
  return (
    <>
      <PageTitle tab="Settings" title="Settings" />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <KeyForm />
        <ThemeChoice />
        <TourPanel />
        <WalletPanel />
        <NotificationPanel />
        <AboutNetwork />
        <WipeSchedule />
        <UpstreamCost />
      </div>
    </>
  )
}
