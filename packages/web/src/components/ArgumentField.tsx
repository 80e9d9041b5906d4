import type { AbiParameter } from 'viem'
import { exactAmount } from '../format/amount.ts'
import { exampleOf, isAmount, parseArgument, type Unit } from '../lib/abi/argument.ts'
import { addressBookId } from '../ui/forms/AddressField.tsx'
import { TextField } from '../ui/forms/Field.tsx'

type Props = {
  parameter: AbiParameter
  label: string
  /** What amounts can be in; that of the called token first. */
  units: readonly Unit[]
  text: string
  onChange: (text: string) => void
}

/** One argument of a call. An amount of a token says beside its name how much that is. */
export function ArgumentField({ parameter, label, units, text, onChange }: Props) {
  const amount = amountOf(parameter, text, units)
  return (
    <TextField
      label={label}
      hint={amount ? `${parameter.type} · ${amount}` : parameter.type}
      placeholder={exampleOf(parameter, units)}
      list={parameter.type === 'address' ? addressBookId : undefined}
      className="hex"
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function amountOf(parameter: AbiParameter, text: string, units: readonly Unit[]): string | undefined {
  const [unit] = units
  if (!unit || !text.trim() || !isAmount(parameter)) return undefined
  try {
    return `${exactAmount(parseArgument(parameter, text, units) as bigint, unit.decimals)} ${unit.symbol}`
  } catch {
    return undefined
  }
}
