import { Link } from '@tanstack/react-router'
import { Account } from '../../../components/Account.tsx'
import { MoreLink } from '../../../components/MoreLink.tsx'
import { formatInteger } from '../../../format/amount.ts'
import { functionOf, useOverrides } from '../../../lib/state/overrides.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { GroupEntries, GroupFrame, type GroupView } from './DifferenceGroup.tsx'

/** The function overrides in force. */
export function Overridden(view: GroupView) {
  const query = useOverrides()
  const inForce = query.data?.filter(({ enabled }) => enabled)
  return (
    <GroupFrame
      kind="overridden"
      note="Functions that return what you chose"
      count={inForce && formatInteger(inForce.length)}
      actions={<MoreLink to="/overrides">All overrides</MoreLink>}
    >
      <Loaded query={query} what="overrides" rows={1}>
        {() => (
          <GroupEntries
            kind="overridden"
            items={inForce ?? []}
            keyOf={({ id }) => id}
            empty="No overrides. An override changes what a function returns."
            {...view}
          >
            {(override) => (
              <div className="flex min-w-0 items-center gap-2">
                <Account address={override.contractAddress} className="min-w-0" />
                <Link
                  to="/address/$address"
                  params={{ address: override.contractAddress }}
                  search={{ tab: 'tracking' }}
                  className="hex min-w-0 truncate text-xs leading-6 hover:underline"
                >
                  {functionOf(override).name}
                </Link>
                <span className="hex ml-auto max-w-40 truncate text-overridden text-xs">
                  {override.returnValues.join(', ')}
                </span>
              </div>
            )}
          </GroupEntries>
        )}
      </Loaded>
    </GroupFrame>
  )
}
