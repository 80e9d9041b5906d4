import { Link } from '@tanstack/react-router'
import { checksummed } from '../../../format/hash.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { buttonLook } from '../../../ui/Button.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { PageTitle } from '../../../ui/PageTitle.tsx'
import type { Overview } from '../api/workspaces.ts'

export function WorkspaceHeader({ overview: { workspace, address, account, contract } }: { overview: Overview }) {
  const { name, kind, type, origin } = workspace
  return (
    <PageTitle
      tab={name}
      title={name}
      note={
        <>
          {address && (
            <>
              <span className="hex min-w-0 break-all">{checksummed(address)}</span>
              <CopyButton text={checksummed(address)} what="address" />
            </>
          )}
          <Badge>{kind === 'wallet' ? 'wallet' : origin === 'import' ? 'imported contract' : 'contract'}</Badge>
          {type && <Badge tone="accent">{type}</Badge>}
          {contract?.proxy && <Badge tone="accent">{contract.proxy.kind} proxy</Badge>}
          {contract?.code === 'local' && <Badge tone="accent">local only</Badge>}
          {account?.followed && <Badge tone="good">followed</Badge>}
        </>
      }
      actions={
        address && (
          <Link to="/address/$address" params={{ address: checksummed(address) }} className={buttonLook('plain')}>
            View address
          </Link>
        )
      }
    />
  )
}
