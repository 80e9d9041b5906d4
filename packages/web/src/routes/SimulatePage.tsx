import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useScenarioOf } from '../features/simulator/api/simulate.ts'
import { Simulator } from '../features/simulator/components/Simulator.tsx'
import { emptyScenario, readScenario } from '../lib/simulation/scenario.ts'
import { Empty } from '../ui/Empty.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { Panel } from '../ui/Panel.tsx'

export function SimulatePage() {
  const { s, tx } = useSearch({ from: '/simulate' })
  const navigate = useNavigate({ from: '/simulate' })
  // The page keeps what was entered when it itself changed the address.
  const [own, setOwn] = useState<readonly string[]>([])
  const [opened, setOpened] = useState({ s, tx, count: 0 })
  if ((s !== opened.s || tx !== opened.tx) && (s === undefined || !own.includes(s))) {
    setOpened({ s, tx, count: opened.count + 1 })
    setOwn([])
  }
  const again = useScenarioOf(opened.s === undefined ? opened.tx : undefined)
  const onRun = (text: string) => {
    setOwn([...own, text])
    void navigate({ search: { s: text }, replace: true, resetScroll: false })
  }
  if (opened.s === undefined && opened.tx !== undefined)
    return (
      <Loaded query={again} what="transaction" rows={6}>
        {(scenario) =>
          scenario ? (
            <Simulator key={opened.count} initial={scenario} onRun={onRun} />
          ) : (
            <Panel>
              <Empty title="Transaction not found" />
            </Panel>
          )
        }
      </Loaded>
    )
  const initial = opened.s === undefined ? emptyScenario : readScenario(opened.s)
  return <Simulator key={opened.count} initial={initial} onRun={onRun} />
}
