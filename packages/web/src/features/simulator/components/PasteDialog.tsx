import { useState } from 'react'
import type { Scenario } from '../../../lib/simulation/scenario.ts'
import { AddressField } from '../../../ui/forms/AddressField.tsx'
import { TextArea } from '../../../ui/forms/Field.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { usePaste } from '../api/paste.ts'

/** Takes what a wallet, a Safe or a file shows. */
export function PasteDialog({ onPaste, onClose }: { onPaste: (scenario: Scenario) => void; onClose: () => void }) {
  const [text, setText] = useState('')
  const [to, setTo] = useState('')
  const paste = usePaste()
  const isCallData = /^\s*0x/.test(text)
  return (
    <FormDialog
      title="Paste a transaction"
      explanation="The JSON that a wallet shows, a transaction or batch of a Safe, an encoded transaction, signed or not, or call data."
      submit="Fill in"
      action={paste}
      onSubmit={() => paste.mutate({ text, to: isCallData ? to : '' }, { onSuccess: onPaste })}
      onClose={onClose}
    >
      <TextArea
        label="Transaction"
        required
        rows={8}
        placeholder={'{ "from": "0x…", "to": "0x…", "data": "0x…" }'}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {isCallData && (
        <AddressField
          label="Called contract"
          hint="if it is call data"
          isRequired={false}
          value={to}
          onChange={setTo}
        />
      )}
    </FormDialog>
  )
}
