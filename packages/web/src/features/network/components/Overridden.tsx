import { Account } from '../../../components/Account.tsx'
import { MoreLink } from '../../../components/MoreLink.tsx'
import { functionOf, useOverrides } from '../../../lib/state/overrides.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'

const shown = 6

export function OverridesInForce() {
  const query = useOverrides()
  return (
    <Panel title="Overridden" actions={<MoreLink to="/overrides">All overrides</MoreLink>}>
      <Loaded query={query} what="overrides" rows={2}>
        {(overrides) => {
          const inForce = overrides.filter(({ enabled }) => enabled)
          if (inForce.length === 0)
            return <Empty title="No overrides">An override changes what a function returns.</Empty>
          return (
            <ul className="divide-y divide-line">
              {inForce.slice(0, shown).map((override) => (
                <li key={override.id} className="flex h-9 items-center gap-2 px-3">
                  <Account address={override.contractAddress} className="min-w-0" />
                  <span className="hex truncate text-xs">{functionOf(override).name}</span>
                  <span className="hex ml-auto max-w-40 truncate text-soft text-xs">
                    {override.returnValues.join(', ')}
                  </span>
                </li>
              ))}
              {inForce.length > shown && (
                <li className="px-3 py-1.5 text-soft text-xs">and {inForce.length - shown} more</li>
              )}
            </ul>
          )
        }}
      </Loaded>
    </Panel>
  )
}
