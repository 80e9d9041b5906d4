import { Account } from '../../../../components/Account.tsx'
import type { GasLocation } from '../../api/gas.ts'

/** A location as text: its function, file and line, or its contract. */
export function GasLocationText({ location }: { location: GasLocation }) {
  const { file, line, function: name, address } = location
  if (file === null)
    return (
      <span className="flex flex-wrap items-baseline gap-x-2">
        <Account address={address} />
        {name !== null && <code className="text-xs">{name}</code>}
      </span>
    )
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      {name === null ? <span className="text-soft">dispatcher</span> : <code className="font-medium">{name}</code>}
      <code className="break-all text-soft text-xs">
        {file}:{line}
      </code>
    </span>
  )
}
