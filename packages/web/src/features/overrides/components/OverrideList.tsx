import { useState } from 'react'
import { useOverrides } from '../../../lib/contracts/overrides.ts'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { OverrideForm, type Prefilled } from './OverrideForm.tsx'
import { OverrideRow } from './OverrideRow.tsx'

/** Every override, and a form for another. */
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
          <Button tone="primary" onClick={() => setAdding(true)}>
            Override a function
          </Button>
        }
      >
        <Loaded query={query} what="overrides" rows={4}>
          {(overrides) =>
            overrides.length === 0 ? (
              <Empty title="No function is overridden">
                An overridden function answers what you say: to eth_call, within transactions, and to other contracts.
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
