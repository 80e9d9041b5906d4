import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { pathOf, useBranches, useNetworks } from '../../../lib/networks/networks.ts'
import { listPath, networkPath } from '../../../location/networkUrl.ts'
import { Icon } from '../../../ui/Icon.tsx'

/** The names in a path: of a network, and of its branch. */
const names = networkPath.split('/n/').slice(1).map(decodeURIComponent)

/** Which network or branch this page shows, and the others to switch to. */
export function NetworkSwitcher() {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="group mb-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary
        title="Switch network"
        className="flex h-7 cursor-pointer list-none items-center gap-1 rounded-md border border-line px-2 text-soft text-xs hover:bg-raised hover:text-ink"
      >
        <span className="min-w-0 flex-1 truncate">{names.join(' / ') || 'Main network'}</span>
        <span className="group-open:rotate-180">
          <Icon name="down" size={14} />
        </span>
      </summary>
      {isOpen && <Choices />}
    </details>
  )
}

/** Loaded when they are asked for. */
function Choices() {
  const { data: hosted } = useNetworks()
  const { data: branches = [] } = useBranches()
  const own = hosted ? (/^\/n\/[^/]+/.exec(networkPath)?.[0] ?? '') : ''
  const networks = hosted?.map((network) => ({ name: network.name, path: pathOf(network) }))
  return (
    <nav aria-label="Networks" className="mt-1 border-line border-b pb-2">
      <ul className="max-h-72 overflow-y-auto">
        {(networks ?? [{ name: 'Main network', path: '' }]).map(({ name, path }) => (
          <li key={path}>
            <Choice name={name} path={path} />
            {path === own && branches.length > 0 && (
              <ul aria-label={`Branches of ${name}`} className="ml-3 border-line border-l pl-1">
                {branches.map((branch) => (
                  <li key={branch.id}>
                    <Choice name={branch.name} path={pathOf(branch)} />
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      <div className="mt-1 flex gap-3 px-2 text-accent text-xs">
        {hosted && (
          <a href={listPath} className="hover:underline">
            All networks
          </a>
        )}
        <Link to="/snapshots" className="hover:underline">
          Branches
        </Link>
      </div>
    </nav>
  )
}

function Choice({ name, path }: { name: string; path: string }) {
  const isHere = path === networkPath
  return (
    <a
      href={`${path}/`}
      aria-current={isHere}
      title={name}
      className={`block truncate rounded px-2 py-1 text-xs hover:bg-raised hover:text-ink ${isHere ? 'font-medium text-ink' : 'text-soft'}`}
    >
      {name}
    </a>
  )
}
