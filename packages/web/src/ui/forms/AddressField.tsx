import type { Address } from 'viem'
import { TextField } from './Field.tsx'

type Props = {
  label?: string
  hint?: string
  value: string
  /** The trimmed text. The network validates it. */
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
