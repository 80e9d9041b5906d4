import { useState } from 'react'
import type { Address } from 'viem'
import { formatCount } from '../../../format/amount.ts'
import { formatSpan, parseSpan } from '../../../format/time.ts'
import { Age } from '../../../ui/Age.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { TextArea, TextField } from '../../../ui/forms/Field.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type WipeSchedule as Schedule, useSetWipeSchedule, useWipe, useWipeSchedule } from '../api/wipes.ts'

/** When local state is discarded. */
export function WipeSchedule() {
  const query = useWipeSchedule()
  const [open, setOpen] = useState<'schedule' | 'wipe'>()
  return (
    <Panel
      title="Wipes"
      note="Discard local state"
      actions={
        <>
          <Button needs="admin" onClick={() => setOpen('schedule')}>
            Schedule
          </Button>
          <Button needs="admin" tone="danger" onClick={() => setOpen('wipe')}>
            Wipe now
          </Button>
        </>
      }
    >
      <Loaded query={query} what="wipe schedule" rows={2}>
        {(schedule) => (
          <>
            <Facts
              rows={[
                ['Interval', schedule.intervalMs === null ? 'None' : formatSpan(schedule.intervalMs)],
                ['On startup', schedule.onStartup ? 'Yes' : 'No'],
                ['Last wipe', schedule.lastWipeAt ? <Age key="last" at={Date.parse(schedule.lastWipeAt)} /> : 'Never'],
                schedule.routers.length > 0 && ['Allowances kept for', formatCount(schedule.routers.length, 'spender')],
              ]}
            />
            {open === 'schedule' && <ScheduleDialog schedule={schedule} onClose={() => setOpen(undefined)} />}
            {open === 'wipe' && <WipeDialog routers={schedule.routers} onClose={() => setOpen(undefined)} />}
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function ScheduleDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const [interval, setInterval] = useState(schedule.intervalMs === null ? '' : formatSpan(schedule.intervalMs))
  const [onStartup, setOnStartup] = useState(schedule.onStartup)
  const [routers, setRouters] = useState(schedule.routers.join('\n'))
  const [problem, setProblem] = useState<string>()
  const set = useSetWipeSchedule()
  const submit = () => {
    try {
      const intervalMs = interval.trim() === '' ? null : parseSpan(interval)
      set.mutate(
        { intervalMs, onStartup, routers: routers.split(/[\s,]+/).filter(Boolean) as Address[] },
        { onSuccess: onClose },
      )
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <FormDialog title="Wipe schedule" submit="Save" action={set} onSubmit={submit} onClose={onClose}>
      <TextField
        label="Interval"
        hint="leave empty for no schedule"
        placeholder="12h"
        value={interval}
        error={problem}
        onChange={(event) => setInterval(event.target.value)}
      />
      <label className="flex items-center gap-2 text-sm">
        <input type="checkbox" checked={onStartup} onChange={(event) => setOnStartup(event.target.checked)} />
        Wipe when the network starts
      </label>
      <TextArea
        label="Keep Permit2 allowances for these spenders"
        hint="one address per line"
        value={routers}
        onChange={(event) => setRouters(event.target.value)}
      />
    </FormDialog>
  )
}

function WipeDialog({ routers, onClose }: { routers: Schedule['routers']; onClose: () => void }) {
  const wipe = useWipe()
  return (
    <FormDialog
      title="Wipe local state"
      explanation="All local balances, nonces, code and storage are discarded and read from the live chain again. The test accounts are funded again. Blocks, overrides, tracked data, follows and workspaces are kept. This cannot be undone."
      submit="Wipe local state"
      tone="danger"
      action={wipe}
      onSubmit={() => wipe.mutate(routers, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
