import { useState } from 'react'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { Button } from '../../../ui/Button.tsx'
import { SelectField, TextField } from '../../../ui/forms/Field.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { useMine, useSetMode } from '../api/mining.ts'

const descriptions = {
  instant: 'Each transaction is mined immediately, in its own block.',
  replay: 'One block for each block of the live chain, with the same number, time and fees.',
  interval: 'A block at a fixed interval.',
  manual: 'A block only when you mine one.',
} as const
type Kind = keyof typeof descriptions

/** The mining mode, and a button to mine a block. */
export function MiningMode() {
  const { data: info } = useNetworkInfo()
  const [isOpen, setOpen] = useState(false)
  const mine = useMine()
  return (
    <>
      <Button needs="admin" onClick={() => setOpen(true)} disabled={!info}>
        <span className="text-soft">Mode</span> {info?.mode ?? '…'}
      </Button>
      <Button needs="admin" tone="primary" busy={mine.isPending} onClick={() => mine.mutate(1)}>
        Mine block
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
    <FormDialog title="Mining mode" submit="Save" action={setMode} onSubmit={submit} onClose={onClose}>
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
