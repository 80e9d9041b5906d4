import { useState } from 'react'
import type { Address } from 'viem'
import { formatSpan, parseSpan } from '../../../lib/format/time.ts'
import { Age } from '../../../ui/Age.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { TextArea, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type WipeSchedule as Schedule, useSetWipeSchedule, useWipe, useWipeSchedule } from '../api/wipes.ts'

/** When local state is given back to the live chain. */
export function WipeSchedule() {
  const query = useWipeSchedule()
  const [open, setOpen] = useState<'schedule' | 'wipe'>()
  return (
    <Panel
      title="Wipes"
      note="local state given back"
      actions={
        <>
          <Button onClick={() => setOpen('schedule')}>Schedule</Button>
          <Button tone="danger" onClick={() => setOpen('wipe')}>
            Wipe now
          </Button>
        </>
      }
    >
      <Loaded query={query} what="the wipe schedule" rows={2}>
        {(schedule) => (
          <>
            <Facts
              rows={[
                ['Every', schedule.intervalMs === null ? 'never by itself' : formatSpan(schedule.intervalMs)],
                ['At the start', schedule.onStartup ? 'yes' : 'no'],
                ['Last', schedule.lastWipeAt ? <Age key="last" at={Date.parse(schedule.lastWipeAt)} /> : 'never'],
                schedule.routers.length > 0 && ['Allowances kept for', `${schedule.routers.length} spenders`],
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
    <FormDialog
      title="When local state is wiped"
      submit="Save"
      busy={set.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Every"
        hint="empty: never by itself"
        placeholder="12h"
        value={interval}
        error={problem}
        onChange={(event) => setInterval(event.target.value)}
      />
      <label className="flex items-center gap-2 text-sm">
        <input type="checkbox" checked={onStartup} onChange={(event) => setOnStartup(event.target.checked)} />
        Whenever the network starts
      </label>
      <TextArea
        label="Keep Permit2 allowances of these spenders"
        hint="one address a line"
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
      explanation="Every balance, nonce, code and slot that was changed here reads the live chain again, and the accounts are funded anew. Blocks, overrides, tracked data, follows and workspaces stay. This cannot be undone."
      submit="Wipe local state"
      tone="danger"
      busy={wipe.isPending}
      onSubmit={() => wipe.mutate(routers, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
