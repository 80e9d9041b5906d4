import { useState } from 'react'
import { useNetworkInfo } from '../../../lib/chain/networkInfo.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { type GroupView, type Kind, nameOf } from './DifferenceGroup.tsx'
import { Drifted } from './Drifted.tsx'
import { Followed } from './Followed.tsx'
import { Frozen } from './Frozen.tsx'
import { Overridden } from './Overridden.tsx'

const groups: readonly { kind: Kind; needsFork: boolean; Group: (view: GroupView) => React.ReactNode }[] = [
  { kind: 'drifted', needsFork: true, Group: Drifted },
  { kind: 'overridden', needsFork: false, Group: Overridden },
  { kind: 'followed', needsFork: true, Group: Followed },
  { kind: 'frozen', needsFork: true, Group: Frozen },
]

/** Everything here that does not read the live chain, or always does: one color for each kind. */
export function Differences() {
  const { data: info } = useNetworkInfo()
  const [only, setOnly] = useState<Kind>()
  const offered = groups.filter(({ needsFork }) => !needsFork || info?.upstream !== null)
  const shown = offered.filter(({ kind }) => only === undefined || kind === only)
  const options = [{ id: undefined, name: 'All' }, ...offered.map(({ kind }) => ({ id: kind, name: nameOf(kind) }))]
  return (
    <Panel
      title="Differences from the live chain"
      actions={offered.length > 1 && <Choice label="Show" options={options} chosen={only} onChoose={setOnly} />}
    >
      {shown.map(({ kind, Group }) => (
        <Group key={kind} isOnly={kind === only} onOnly={() => setOnly(kind)} />
      ))}
    </Panel>
  )
}
