import type { Address } from 'viem'
import { TextField } from './Field.tsx'

type Props = {
  label?: string
  hint?: string
  value: string
  /** What was typed, without the spaces around it; the network says what is wrong with it. */
  onChange: (address: Address) => void
}

export function AddressField({ label = 'Address', hint, value, onChange }: Props) {
  return (
    <TextField
      label={label}
      hint={hint}
      className="hex"
      placeholder="0x…"
      value={value}
      onChange={(event) => onChange(event.target.value.trim() as Address)}
    />
  )
}
