import { useRef, useState } from 'react'
import type { Hex } from 'viem'
import { Loaded } from '../../../../ui/Loaded.tsx'
import { type GasLocation, type GasProfile, useGasProfile } from '../../api/gas.ts'
import { GasComparison } from './GasComparison.tsx'
import { GasAccesses, GasMemory, GasRefunds } from './GasDetails.tsx'
import { GasFlames } from './GasFlames.tsx'
import { GasLines } from './GasLines.tsx'
import { GasSource } from './GasSource.tsx'

type Props = { hash: Hex; other: string | undefined; onOther: (other: string | undefined) => void }

/** Where the gas of a sealed transaction went. `other`: the transaction that it is compared with. */
export function GasView({ hash, other, onOther }: Props) {
  const query = useGasProfile(hash)
  return (
    <Loaded query={query} what="gas" rows={12}>
      {(profile) => (
        <>
          <Profile profile={profile} />
          <GasComparison hash={hash} other={other} onOther={onOther} />
        </>
      )}
    </Loaded>
  )
}

function Profile({ profile }: { profile: GasProfile }) {
  const [location, setLocation] = useState<GasLocation | undefined>(() =>
    profile.lines.find(({ file }) => file !== null),
  )
  const source = useRef<HTMLDivElement>(null)
  const show = (next: GasLocation) => {
    setLocation(next)
    source.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <>
      <GasFlames profile={profile} onLocation={setLocation} />
      <div className="grid gap-4 lg:grid-cols-2">
        <div ref={source} className="min-w-0 scroll-mt-16 lg:order-last">
          <GasSource profile={profile} location={location} />
        </div>
        <GasLines profile={profile} onLocation={show} />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <GasAccesses profile={profile} onLocation={show} />
        <GasRefunds profile={profile} onLocation={show} />
        <GasMemory profile={profile} />
      </div>
    </>
  )
}
