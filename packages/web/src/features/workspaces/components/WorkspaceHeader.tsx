import { Badge } from '../../../ui/Badge.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import type { Overview } from '../api/workspaces.ts'

/** What is known of an account by its workspace. */
export function WorkspaceBadges({ overview: { workspace, contract } }: { overview: Overview }) {
  const { type, origin } = workspace
  return (
    <>
      {origin === 'import' && <Badge>imported</Badge>}
      {type && <Badge tone="accent">{type}</Badge>}
      {contract?.proxy && <Badge tone="accent">{contract.proxy.kind} proxy</Badge>}
      {contract?.code === 'local' && <Badge tone="accent">local only</Badge>}
    </>
  )
}

/** The title of a contract that has no address yet. */
export function UndeployedHeader({ overview }: { overview: Overview }) {
  const { name } = overview.workspace
  return (
    <PageTitle
      tab={name}
      title={name}
      note={
        <>
          <Badge>contract</Badge>
          <WorkspaceBadges overview={overview} />
        </>
      }
    />
  )
}
