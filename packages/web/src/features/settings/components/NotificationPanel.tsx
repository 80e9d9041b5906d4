import { useState } from 'react'
import { Account } from '../../../components/Account.tsx'
import { askPermission, permission } from '../../../lib/watch/notices.ts'
import { useWatches, watchStore } from '../../../lib/watch/watches.ts'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Panel } from '../../../ui/Panel.tsx'

/** What this browser is notified of, and how. */
export function NotificationPanel() {
  const { accounts, items, outages, system } = useWatches()
  const [may, setMay] = useState(permission)
  const setSystem = async (wanted: boolean) => {
    const answer = wanted ? await askPermission() : may
    setMay(answer)
    watchStore.change({ system: wanted && answer === 'granted' })
  }
  return (
    <Panel title="Notifications" note="In this browser, while a page of this network is open">
      <div className="space-y-2 p-3 text-sm">
        <label className="flex min-h-6 items-center gap-2">
          <input
            type="checkbox"
            checked={outages}
            onChange={(event) => watchStore.change({ outages: event.target.checked })}
          />
          When the network stops responding
        </label>
        <label className="flex min-h-6 items-center gap-2">
          <input
            type="checkbox"
            checked={system && may === 'granted'}
            disabled={may === 'unsupported'}
            onChange={(event) => void setSystem(event.target.checked)}
          />
          Also on the desktop, while the page is in the background
        </label>
        {may === 'denied' && <p className="text-warn text-xs">This browser blocks notifications of this page.</p>}
        {may === 'unsupported' && (
          <p className="text-soft text-xs">Browsers show them only for pages of localhost or with HTTPS.</p>
        )}
      </div>
      {accounts.length + items.length === 0 ? (
        <Empty title="Nothing watched">
          Use Watch on the page of an address, or Notify beside a tracked value, to see when it changes.
        </Empty>
      ) : (
        <ul className="divide-y divide-line border-line border-t">
          {accounts.map((address) => (
            <li key={address} className="flex min-h-9 items-center gap-2 px-3">
              <Account address={address} className="min-w-0 grow text-sm" />
              <Remove
                what={address}
                onClick={() => watchStore.change({ accounts: accounts.filter((one) => one !== address) })}
              />
            </li>
          ))}
          {items.map((item) => (
            <li key={item.id} className="flex min-h-9 items-center gap-2 px-3 text-sm">
              <span className="min-w-0 grow truncate">{item.name}</span>
              <Remove
                what={item.name}
                onClick={() => watchStore.change({ items: items.filter((one) => one !== item) })}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Remove({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <Button tone="quiet" aria-label={`Stop watching ${what}`} onClick={onClick}>
      Stop watching
    </Button>
  )
}
