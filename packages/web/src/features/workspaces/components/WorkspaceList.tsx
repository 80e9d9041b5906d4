import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Address } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { useAddWorkspace, workspaceIdOf } from '../../../lib/contracts/addWorkspace.ts'
import { Age } from '../../../ui/Age.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { AddressField } from '../../../ui/forms/AddressField.tsx'
import { TextArea, TextField } from '../../../ui/forms/Field.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { useRemoveWorkspace, useWorkspaces, type Workspace } from '../api/workspaces.ts'

const kinds: Record<Workspace['kind'], string> = {
  wallet: 'wallet',
  'mainnet-contract': 'live-chain contract',
  manual: 'contract',
}

/** All workspaces, and a form to create one. */
export function WorkspaceList() {
  const query = useWorkspaces()
  const [isAdding, setAdding] = useState(false)
  const remove = useRemoveWorkspace()
  return (
    <>
      {isAdding && <NewWorkspace onClose={() => setAdding(false)} />}
      <Panel
        title="Workspaces"
        note={query.data ? `${query.data.length}` : undefined}
        actions={
          <Button needs="admin" tone="primary" onClick={() => setAdding(true)}>
            Create workspace
          </Button>
        }
      >
        <Loaded query={query} what="workspaces" rows={5}>
          {(workspaces) =>
            workspaces.length === 0 ? (
              <Empty title="No workspaces yet">
                A workspace is a dashboard for a wallet or a contract: assets, activity, functions, storage and history.
              </Empty>
            ) : (
              <ul className="divide-y divide-line">
                {workspaces.map(({ id, name, kind, address, type, origin, deployments, createdAt }) => (
                  <li key={id} className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
                    <Link to="/workspace/$id" params={{ id }} className="font-medium text-accent hover:underline">
                      {name}
                    </Link>
                    <Badge>{origin === 'import' ? 'imported contract' : kinds[kind]}</Badge>
                    {type && <Badge tone="accent">{type}</Badge>}
                    {address ? (
                      <Account address={address} nameless className="text-xs" />
                    ) : (
                      <span className="text-soft text-xs">not deployed</span>
                    )}
                    {deployments > 1 && <span className="text-soft text-xs">and {deployments - 1} more</span>}
                    <span className="ml-auto flex items-center gap-3 text-xs">
                      <Age at={Date.parse(createdAt)} />
                      <ConfirmButton
                        tone="danger"
                        title={`Remove ${name}?`}
                        explanation={
                          origin === 'import'
                            ? 'The imported contract, all its versions and what is known of its deployments are removed. The contracts on the chain stay.'
                            : 'The workspace is removed, with the ABI that was entered for it. The account on the chain stays.'
                        }
                        busy={remove.isPending}
                        onConfirm={() => remove.mutate(id)}
                      >
                        Remove
                      </ConfirmButton>
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Panel>
    </>
  )
}

function NewWorkspace({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  const [abi, setAbi] = useState('')
  const add = useAddWorkspace()
  const navigate = useNavigate()
  const submit = () => {
    const input = { name, address: (address.trim() || null) as Address | null, abi: abi.trim() || null }
    add.mutate(input, {
      onSuccess(added) {
        void navigate({ to: '/workspace/$id', params: { id: workspaceIdOf(added) } })
        onClose()
      },
    })
  }
  return (
    <Panel padded title="Create workspace">
      <form
        className="grid gap-3 md:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField label="Name" value={name} onChange={(event) => setName(event.target.value)} />
        <AddressField hint="wallet or contract" value={address} isRequired={abi.trim() === ''} onChange={setAddress} />
        <div className="md:col-span-2">
          <TextArea
            label="ABI"
            hint="JSON; only needed if no import or explorer provides it"
            value={abi}
            onChange={(event) => setAbi(event.target.value)}
          />
        </div>
        {add.isError && (
          <div className="md:col-span-2">
            <Problem error={add.error} />
          </div>
        )}
        <div className="flex gap-2">
          <Button type="submit" tone="primary" busy={add.isPending}>
            Create
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Panel>
  )
}
