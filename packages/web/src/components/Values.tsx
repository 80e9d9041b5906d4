import type { Address } from 'viem'
import { formatInteger, readableAmount } from '../format/amount.ts'
import { isAnyAddress, shorten } from '../format/hash.ts'
import { isAmount, type Unit } from '../lib/abi/argument.ts'
import { type NamedValue, valueText } from '../lib/abi/value.ts'
import { Amount } from '../ui/Amount.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Account } from './Account.tsx'

/** Decoded values with their names: addresses as links, integers in groups, amounts in `unit`, that of the token they are of. */
export function Values({ values, unit }: { values: readonly NamedValue[]; unit?: Unit | undefined }) {
  return (
    <ul className="space-y-0.5">
      {values.map(({ name, type, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parameters have an order and may have no name
        <li key={index} className="grid grid-cols-[minmax(4rem,9rem)_minmax(0,1fr)] gap-2">
          <span className="truncate text-soft" title={`${type} ${name}`}>
            {name} <span className="text-2xs">{type}</span>
          </span>
          <Value type={type} value={value} unit={unit && isAmount({ name, type }) ? unit : undefined} />
        </li>
      ))}
    </ul>
  )
}

/** Values of one call on a line: names are left out, and long texts are cut. Amounts are in `unit`, that of the token that is called. */
export function ShortValues({ values, unit }: { values: readonly NamedValue[]; unit?: Unit | undefined }) {
  const shown = values.slice(0, shortCount).map((value) => shortText(value, unit))
  const all = values.length > shortCount ? [...shown, '…'] : shown
  return <span className="hex text-soft text-xs">({all.join(', ')})</span>
}

const shortCount = 6
const shortLength = 24
const shortInteger = 40

function shortText({ name, type, value }: NamedValue, unit: Unit | undefined): string {
  const text = valueText(value)
  if (unit && isAmount({ name, type }) && text.length <= shortInteger)
    return `${readableAmount(BigInt(text || 0), unit.decimals)} ${unit.symbol}`
  if (type === 'address' && isAnyAddress(text)) return shorten(text)
  if (/^u?int\d*$/.test(type) && text.length <= shortInteger) return formatInteger(BigInt(text || 0))
  return text.length > shortLength ? `${text.slice(0, shortLength - 1)}…` : text
}

export function Value({ type, value, unit }: { type: string; value: unknown; unit?: Unit | undefined }) {
  const text = valueText(value)
  if (unit && /^\d+$/.test(text)) return <Amount value={BigInt(text)} token={unit} />
  if (type === 'address' && isAnyAddress(text)) return <Account address={text as Address} copy />
  if (/^u?int\d*$/.test(type))
    return (
      <span className="number break-all" title={text}>
        {formatInteger(BigInt(text || 0))} <CopyButton text={text} what="number" />
      </span>
    )
  return (
    <span className={`min-w-0 break-all ${type === 'string' || type === 'bool' ? '' : 'hex'}`}>
      {text === '' ? <span className="text-soft">empty</span> : text}
    </span>
  )
}
