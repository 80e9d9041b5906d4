import { useState } from 'react'
import type { Address } from 'viem'
import { TextField } from './Field.tsx'

type Props = {
  label?: string
  hint?: string
  value: string
  isRequired?: boolean
  /** The trimmed text. */
  onChange: (address: Address) => void
}

/** The list of named addresses, which the page holds once. */
export const addressBookId = 'address-book'

/** An address. A form with anything else is not submitted. */
export function AddressField({ label = 'Address', hint, value, isRequired = true, onChange }: Props) {
  const [problem, setProblem] = useState<string>()
  return (
    <TextField
      label={label}
      hint={hint}
      className="hex"
      placeholder="0x…"
      list={addressBookId}
      value={value}
      error={problem}
      required={isRequired}
      pattern="\s*0x[0-9a-fA-F]{40}\s*"
      onInvalid={(event) => {
        event.preventDefault()
        event.currentTarget.focus()
        setProblem('Enter an address: 0x and 40 hex digits')
      }}
      onChange={(event) => {
        setProblem(undefined)
        onChange(event.target.value.trim() as Address)
      }}
    />
  )
}
