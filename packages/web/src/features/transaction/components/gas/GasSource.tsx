import { useMemo } from 'react'
import { SourceWindow } from '../../../../components/source/SourceWindow.tsx'
import { formatInteger } from '../../../../format/amount.ts'
import type { GasLocation, GasProfile } from '../../api/gas.ts'

/** The source around a line, with the gas of each line. */
export function GasSource({ profile, location }: { profile: GasProfile; location: GasLocation | undefined }) {
  const { address, file } = location ?? {}
  const gas = useMemo(() => {
    const sums = new Map<number, number>()
    for (const each of profile.lines)
      if (each.address === address && each.file === file && each.line !== null)
        sums.set(each.line, (sums.get(each.line) ?? 0) + each.gas)
    return sums
  }, [profile, address, file])
  return (
    <SourceWindow
      location={location}
      label="Source with gas"
      current="location"
      margin={(line) => {
        const own = gas.get(line)
        return (
          <>
            <span className="number w-16 shrink-0 pr-2 text-right text-accent" title="Gas of the line">
              {own !== undefined && formatInteger(own)}
            </span>
            <span className="number w-10 shrink-0 pr-3 text-right text-soft">{line}</span>
          </>
        )
      }}
    />
  )
}
