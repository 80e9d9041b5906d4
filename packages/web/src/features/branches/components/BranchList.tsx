import { useState } from 'react'
import { BlockLink } from '../../../components/HashLink.tsx'
import { formatDateTime } from '../../../format/time.ts'
import { type Branch, isShown, pathOf, useBranches } from '../../../lib/networks/networks.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, buttonStyle } from '../../../ui/Button.tsx'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { NameForm } from '../../../ui/forms/NameForm.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { useCreateBranch, usePromoteBranch, useRemoveBranch } from '../api/branches.ts'
import { BranchComparison } from './BranchComparison.tsx'

/** The networks that began as this one, to open, compare, promote and remove. */
export function BranchList() {
  const query = useBranches()
  return (
    <Panel title="Branches">
      <div className="border-line border-b p-3">
        <NameForm submit="Make branch" label="Branch name" action={useCreateBranch()} />
      </div>
      <Loaded query={query} what="branches" rows={3}>
        {(branches) =>
          branches.length === 0 ? (
            <Empty title="No branches">
              A branch is a network of its own that begins with everything this one has. What is done there stays there.
            </Empty>
          ) : (
            <ul aria-label="Branches" className="divide-y divide-line">
              {branches.map((branch) => (
                <Row key={branch.id} branch={branch} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

function Row({ branch }: { branch: Branch }) {
  const [isCompared, setCompared] = useState(false)
  const remove = useRemoveBranch()
  const promote = usePromoteBranch()
  const { name, label, blockNumber, expiresAt } = branch
  const isHere = isShown(branch)
  return (
    <li className="px-3 py-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="min-w-0 max-w-full truncate font-medium" title={name}>
          {name}
        </span>
        {label && (
          <span className="min-w-0 max-w-full truncate text-soft" title={label}>
            {label}
          </span>
        )}
        {isHere && <Badge tone="accent">this network</Badge>}
        <span className="text-soft">
          from block <BlockLink number={BigInt(blockNumber)} />
        </span>
        {expiresAt && <span className="text-soft">until {formatDateTime(Date.parse(expiresAt))}</span>}
        <span className="ml-auto flex flex-wrap gap-1.5">
          {!isHere && (
            <>
              <a href={pathOf(branch)} className={buttonStyle('plain')}>
                Open
              </a>
              <Button aria-expanded={isCompared} onClick={() => setCompared(!isCompared)}>
                Compare
              </Button>
            </>
          )}
          <ConfirmButton
            title={`Promote “${name.slice(0, 60)}”?`}
            explanation="The network that it began from gets the branch's state, in one change without a block. A snapshot of that network is taken before, so that it can be reverted."
            busy={promote.isPending}
            onConfirm={() => promote.mutate(branch)}
          >
            Promote
          </ConfirmButton>
          <ConfirmButton
            tone="danger"
            title={`Remove “${name.slice(0, 60)}”?`}
            explanation="Its blocks and its state are deleted. This cannot be undone."
            busy={remove.isPending}
            onConfirm={() => remove.mutate(branch)}
          >
            Remove
          </ConfirmButton>
        </span>
      </div>
      {isCompared && <BranchComparison branch={branch} />}
    </li>
  )
}
