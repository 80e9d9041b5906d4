import { useState } from 'react'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { Button } from '../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { useMine, useSetMode } from '../api/mining.ts'

const descriptions = {
  instant: 'A transaction is sealed at once, in a block of its own.',
  replay: "One block for each of the live chain's, with its number, time and fees.",
  interval: 'A block every so many seconds.',
  manual: 'A block when you ask for one.',
} as const
type Kind = keyof typeof descriptions

/** How blocks come about, and a button that makes some. */
export function MiningMode() {
  const { data: info } = useNetworkInfo()
  const [isOpen, setOpen] = useState(false)
  const mine = useMine()
  return (
    <>
      <Button onClick={() => setOpen(true)} disabled={!info}>
        <span className="text-soft">Mode</span> {info?.mode ?? '…'}
      </Button>
      <Button tone="primary" busy={mine.isPending} onClick={() => mine.mutate(1)}>
        Mine a block
      </Button>
      {isOpen && info && (
        <ModeDialog mode={info.mode} canReplay={info.upstream !== null} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

function ModeDialog({ mode, canReplay, onClose }: { mode: string; canReplay: boolean; onClose: () => void }) {
  const [name, seconds] = mode.split(':')
  const [kind, setKind] = useState<Kind>((name as Kind | undefined) ?? 'instant')
  const [interval, setInterval] = useState(seconds ?? '2')
  const setMode = useSetMode()
  const submit = () => setMode.mutate(kind === 'interval' ? `interval:${interval}` : kind, { onSuccess: onClose })
  return (
    <FormDialog
      title="How blocks come about"
      submit="Switch"
      busy={setMode.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField label="Mode" value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
        {(Object.keys(descriptions) as Kind[])
          .filter((one) => canReplay || one !== 'replay')
          .map((one) => (
            <option key={one}>{one}</option>
          ))}
      </SelectField>
      <p className="text-soft text-sm">{descriptions[kind]}</p>
      {kind === 'interval' && (
        <TextField
          label="Seconds"
          inputMode="decimal"
          value={interval}
          onChange={(event) => setInterval(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
