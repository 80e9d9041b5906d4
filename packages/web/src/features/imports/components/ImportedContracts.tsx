import { Link } from '@tanstack/react-router'
import { Account } from '../../../components/Account.tsx'
import { formatCount } from '../../../format/amount.ts'
import { Age } from '../../../ui/Age.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { VirtualList } from '../../../ui/VirtualList.tsx'
import { useImportedContracts, useRemoveImported } from '../api/imports.ts'

/** The imported contracts and their deployments. */
export function ImportedContracts() {
  const query = useImportedContracts()
  const remove = useRemoveImported()
  return (
    <Panel title="Imported contracts" note={query.data ? `${query.data.length}` : undefined}>
      <Loaded query={query} what="imported contracts" rows={4}>
        {(contracts) =>
          contracts.length === 0 ? (
            <Empty title="No imported contracts yet" />
          ) : (
            <VirtualList
              items={contracts}
              rowHeight={41}
              keyOf={({ projectContractId }) => projectContractId}
              label="Imported contracts"
            >
              {({ name, projectContractId, versions, deployments, createdAt }) => (
                <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5">
                  <Link
                    to="/workspace/$id"
                    params={{ id: projectContractId }}
                    className="font-medium text-accent hover:underline"
                  >
                    {name}
                  </Link>
                  <span className="hex truncate text-soft text-xs">{versions.at(-1)?.sourcePath}</span>
                  <Badge>version {versions.at(-1)?.number}</Badge>
                  {deployments.length === 0 && <Badge tone="warn">not deployed</Badge>}
                  {deployments.slice(0, 3).map(({ address }) => (
                    <Account key={address} address={address} nameless className="text-xs" />
                  ))}
                  <span className="ml-auto flex items-center gap-3 text-xs">
                    <Age at={Date.parse(createdAt)} />
                    <ConfirmButton
                      tone="danger"
                      title={`Remove ${name}?`}
                      explanation={`${formatCount(versions.length, 'version')} and what is known of its deployments are removed. The contracts on the chain stay.`}
                      busy={remove.isPending}
                      onConfirm={() => remove.mutate(projectContractId)}
                    >
                      Remove
                    </ConfirmButton>
                  </span>
                </div>
              )}
            </VirtualList>
          )
        }
      </Loaded>
    </Panel>
  )
}
