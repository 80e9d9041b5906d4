import type { Address } from 'viem'
import { formatInteger } from '../format/amount.ts'
import { isAnyAddress } from '../format/hash.ts'
import { type NamedValue, valueText } from '../lib/abi/value.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Account } from './Account.tsx'

/** Decoded values with their names: addresses as links, integers in groups. */
export function Values({ values }: { values: readonly NamedValue[] }) {
  return (
    <ul className="space-y-0.5">
      {values.map(({ name, type, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parameters have an order and may have no name
        <li key={index} className="grid grid-cols-[minmax(4rem,9rem)_minmax(0,1fr)] gap-2">
          <span className="truncate text-soft" title={`${type} ${name}`}>
            {name} <span className="text-2xs">{type}</span>
          </span>
          <Value type={type} value={value} />
        </li>
      ))}
    </ul>
  )
}

export function Value({ type, value }: { type: string; value: unknown }) {
  const text = valueText(value)
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
