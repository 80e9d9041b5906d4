import { useState } from 'react'
import { useOverrides } from '../../../lib/state/overrides.ts'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { OverrideForm, type Prefilled } from './OverrideForm.tsx'
import { OverrideRow } from './OverrideRow.tsx'

/** All overrides, and a form to add one. */
export function OverrideList({ prefilled, onClose }: { prefilled?: Prefilled; onClose: () => void }) {
  const query = useOverrides()
  const [isAdding, setAdding] = useState(false)
  const close = () => {
    setAdding(false)
    onClose()
  }
  return (
    <>
      {(isAdding || prefilled) && <OverrideForm prefilled={prefilled} onClose={close} />}
      <Panel
        title="Overrides"
        note={query.data ? `${query.data.length}` : undefined}
        actions={
          <Button needs="admin" tone="primary" onClick={() => setAdding(true)}>
            Override function
          </Button>
        }
      >
        <Loaded query={query} what="overrides" rows={4}>
          {(overrides) =>
            overrides.length === 0 ? (
              <Empty title="No overrides">
                An overridden function returns the values you set, in eth_call, in transactions and in calls from other
                contracts.
              </Empty>
            ) : (
              <ul className="divide-y divide-line">
                {overrides.map((override) => (
                  <OverrideRow key={override.id} override={override} showContract />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
    </>
  )
}
