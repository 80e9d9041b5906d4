import { Link } from '@tanstack/react-router'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { Icon, type IconName } from '../../../ui/Icon.tsx'
import { NetworkSwitcher } from './NetworkSwitcher.tsx'

const groups: readonly { label?: string; pages: readonly { to: string; name: string; icon: IconName }[] }[] = [
  {
    pages: [
      { to: '/', name: 'Network', icon: 'network' },
      { to: '/blocks', name: 'Blocks', icon: 'blocks' },
      { to: '/transactions', name: 'Transactions', icon: 'transactions' },
    ],
  },
  {
    label: 'Observe',
    pages: [
      { to: '/simulate', name: 'Simulate', icon: 'play' },
      { to: '/workspaces', name: 'Workspaces', icon: 'workspaces' },
      { to: '/tracked', name: 'Tracked values', icon: 'tracked' },
      { to: '/shadow', name: 'Shadow', icon: 'shadow' },
      { to: '/forecast', name: 'Forecast', icon: 'forecast' },
      { to: '/log', name: 'Log', icon: 'log' },
    ],
  },
  {
    label: 'Change',
    pages: [
      { to: '/overrides', name: 'Overrides', icon: 'overrides' },
      { to: '/snapshots', name: 'Snapshots', icon: 'snapshots' },
      { to: '/import', name: 'Import', icon: 'import' },
      { to: '/settings', name: 'Settings', icon: 'settings' },
    ],
  },
]

export function Navigation() {
  const { data: info } = useNetworkInfo()
  return (
    <nav aria-label="Pages" className="flex h-full flex-col overflow-y-auto p-2.5">
      <Link to="/" className="mb-3 flex items-center gap-2 rounded px-1.5 py-1.5 font-semibold tracking-tight">
        <img src="/icon.svg" alt="" width={22} height={22} />
        Understudy
      </Link>
      <NetworkSwitcher />
      {groups.map(({ label, pages }) => (
        <div key={label ?? ''} className="mb-3">
          {label && <p className="px-2 pb-1 font-medium text-2xs text-soft uppercase tracking-wider">{label}</p>}
          {pages.map(({ to, name, icon }) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: to === '/' }}
              activeProps={{ className: 'bg-raised text-ink font-medium', 'aria-current': 'page' }}
              inactiveProps={{ className: 'text-soft hover:bg-raised hover:text-ink' }}
              className="flex h-8 items-center gap-2.5 rounded-md px-2 text-sm"
            >
              <Icon name={icon} />
              {name}
            </Link>
          ))}
        </div>
      ))}
      <div className="mt-auto px-2 text-2xs text-soft leading-relaxed">
        {/* No page of this application: the server has it. */}
        <a href="/docs/" className="inline-flex h-7 items-center underline hover:text-ink">
          Documentation
        </a>
        {info && (
          <p>
            Chain {info.chainId} · v{info.version}
          </p>
        )}
      </div>
    </nav>
  )
}
