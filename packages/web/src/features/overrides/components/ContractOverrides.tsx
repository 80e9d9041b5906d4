import { useState } from 'react'
import type { Address } from 'viem'
import { useOverrides } from '../../../lib/state/overrides.ts'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { OverrideForm } from './OverrideForm.tsx'
import { OverrideRow } from './OverrideRow.tsx'

/** The overrides of one contract. */
export function ContractOverrides({ contract }: { contract: Address }) {
  const query = useOverrides(contract)
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      {isAdding && <OverrideForm prefilled={{ contract, abi: '' }} onClose={() => setAdding(false)} />}
      <Panel
        title="Overrides"
        actions={
          <Button needs="admin" onClick={() => setAdding(true)}>
            Override function
          </Button>
        }
      >
        <Loaded query={query} what="overrides" rows={2}>
          {(overrides) =>
            overrides.length === 0 ? (
              <Empty title="No overrides for this contract" />
            ) : (
              <ul className="divide-y divide-line">
                {overrides.map((override) => (
                  <OverrideRow key={override.id} override={override} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
    </>
  )
}
