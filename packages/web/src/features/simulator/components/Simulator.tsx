import { useState } from 'react'
import { emptyCall, type Scenario, scenarioLimit, writeScenario } from '../../../lib/simulation/scenario.ts'
import { networkUrl } from '../../../location/networkUrl.ts'
import { Button } from '../../../ui/Button.tsx'
import { CopyTextButton } from '../../../ui/CopyButton.tsx'
import { TextField } from '../../../ui/forms/Field.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { useSimulation } from '../api/simulate.ts'
import { CallEditor } from './CallEditor.tsx'
import { AccountEditors, HeaderEditor } from './OverrideEditors.tsx'
import { PasteDialog } from './PasteDialog.tsx'
import { SavedSimulations } from './SavedSimulations.tsx'
import { SimulationResults } from './SimulationResults.tsx'

type Props = {
  initial: Scenario
  /** Puts the scenario in the address of the page. */
  onRun: (scenario: string) => void
}

/** Characters of a scenario in a link, at most: servers bound the length of an address. */
const linkLimit = 8000

/** Runs calls in turn, with other state if wanted, without changing the network. */
export function Simulator({ initial, onRun }: Props) {
  const [scenario, setScenario] = useState(initial)
  const { calls, block, accounts, header, onFailure } = scenario
  const [isPasting, setPasting] = useState(false)
  const simulation = useSimulation()
  const set = (part: Partial<Scenario>) => setScenario({ ...scenario, ...part })
  const text = writeScenario(scenario)
  const link = `${networkUrl}/simulate?${new URLSearchParams({ s: text })}`
  const isLinkable = link.length <= linkLimit
  const move = (index: number, step: number) => {
    const moved = [...calls]
    moved.splice(index + step, 0, ...moved.splice(index, 1))
    set({ calls: moved })
  }
  return (
    <>
      <PageTitle
        tab="Simulate"
        title="Simulate"
        note="Runs calls without changing the network"
        actions={
          <>
            <Button onClick={() => setPasting(true)}>Paste a transaction</Button>
            {isLinkable && <CopyTextButton text={link}>Copy link</CopyTextButton>}
          </>
        }
      />
      {isPasting && (
        <PasteDialog
          onPaste={(pasted) => {
            setScenario(pasted)
            setPasting(false)
          }}
          onClose={() => setPasting(false)}
        />
      )}
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isLinkable) onRun(text)
          simulation.mutate(scenario)
        }}
      >
        {calls.map((call, index) => (
          <Panel
            // biome-ignore lint/suspicious/noArrayIndexKey: drafts have no other identity
            key={index}
            padded
            title={calls.length === 1 ? 'Call' : `Call ${index + 1}`}
            actions={
              calls.length > 1 && (
                <>
                  <Button
                    disabled={index === 0}
                    aria-label={`Move call ${index + 1} up`}
                    onClick={() => move(index, -1)}
                  >
                    ↑
                  </Button>
                  <Button
                    disabled={index === calls.length - 1}
                    aria-label={`Move call ${index + 1} down`}
                    onClick={() => move(index, 1)}
                  >
                    ↓
                  </Button>
                  <Button
                    tone="danger"
                    aria-label={`Remove call ${index + 1}`}
                    onClick={() => set({ calls: calls.filter((_, at) => at !== index) })}
                  >
                    Remove
                  </Button>
                </>
              )
            }
          >
            <CallEditor
              call={call}
              onChange={(next) => set({ calls: calls.map((one, at) => (at === index ? next : one)) })}
            />
          </Panel>
        ))}
        <Button
          disabled={calls.length >= scenarioLimit}
          onClick={() => set({ calls: [...calls, { ...emptyCall, from: calls.at(-1)?.from ?? '' }] })}
        >
          Add call
        </Button>
        <Panel padded title="State and block">
          <div className="space-y-3">
            <div className="max-w-60">
              <TextField
                label="Run on block"
                hint="number or latest"
                value={block}
                onChange={(event) => set({ block: event.target.value })}
              />
            </div>
            <AccountEditors accounts={accounts} onChange={(next) => set({ accounts: next })} />
            <details open={Object.values(header).some(Boolean)}>
              <summary className="mb-2 min-h-6 cursor-pointer text-soft text-sm">Block overrides</summary>
              <HeaderEditor header={header} onChange={(next) => set({ header: next })} />
            </details>
          </div>
        </Panel>
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" tone="primary" busy={simulation.isPending}>
            Simulate
          </Button>
          {calls.length > 1 && (
            <label className="flex items-center gap-2 text-sm">
              <input
                type="checkbox"
                checked={onFailure === 'revert'}
                onChange={({ target }) => set({ onFailure: target.checked ? 'revert' : '' })}
              />
              Undo all calls if one fails
            </label>
          )}
          {!isLinkable && <span className="text-soft text-xs">Too long for a link. Download the result instead.</span>}
        </div>
      </form>
      {simulation.error && <Problem error={simulation.error} />}
      {simulation.data && <SimulationResults key={simulation.submittedAt} result={simulation.data} />}
      <SavedSimulations />
    </>
  )
}
