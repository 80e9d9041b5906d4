import { formatInteger } from '../../../format/amount.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useMay } from '../../../ui/role.ts'
import { type ShadowStatus, useSetShadow, useShadow } from '../api/shadow.ts'

/** What of the live chain runs here, and how much of it came out the same. */
export function ShadowPanel() {
  const query = useShadow()
  const set = useSetShadow()
  const mayChange = useMay('admin')
  const enabled = query.data?.enabled
  return (
    <Panel
      title="Live transactions on this network's state"
      actions={
        mayChange &&
        enabled !== undefined && (
          <Button busy={set.isPending} onClick={() => set.mutate(!enabled)}>
            {enabled ? 'Stop' : 'Start'}
          </Button>
        )
      }
    >
      <Loaded query={query} what="shadow" rows={4}>
        {(status) => <Status status={status} />}
      </Loaded>
    </Panel>
  )
}

function Status({ status: { enabled, isActive, counts, rules, contracts, share } }: { status: ShadowStatus }) {
  const state = isActive ? 'running' : enabled ? 'paused by the mining mode' : 'off'
  const badge = <Badge tone={isActive ? 'good' : 'neutral'}>{state}</Badge>
  return (
    <Facts
      rows={[
        ['State', badge],
        ['The same', formatInteger(counts.same)],
        ['Diverged', formatInteger(counts.diverged)],
        ['Refused', formatInteger(counts.refused)],
        ['Not reproducible', formatInteger(counts.unreproducible)],
        rules.length > 0 && ['Rules', rules.join('; ')],
        contracts.length > 0 && ['Contracts', `${contracts.length} only`],
        share < 1 && ['Share', `${share * 100} % of the transactions`],
      ]}
    />
  )
}
