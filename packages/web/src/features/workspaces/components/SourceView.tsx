import { lazy, Suspense } from 'react'
import type { Address } from 'viem'
import { Account } from '../../../components/Account.tsx'
import { type Sources, useSources } from '../../../lib/contracts/sources.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Empty } from '../../../ui/Empty.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { linesOf, useCoverage } from '../api/coverage.ts'
import type { Overview } from '../api/workspaces.ts'
import { AbiView } from './AbiView.tsx'
import { CoverageBar } from './CoverageBar.tsx'

const CodeView = lazy(() =>
  import('../../../components/source/CodeView.tsx').then((module) => ({ default: module.CodeView })),
)

type Props = {
  address: Address
  /** `undefined`: not known. */
  contract: Overview['contract'] | undefined
  /** The shown file: the address of its contract, then its path. */
  file: string | undefined
  onFile: (file: string) => void
}

/** The source files of a contract, and its ABI. */
export function SourceView({ address, contract, file, onFile }: Props) {
  const query = useSources(address)
  return (
    <>
      <Loaded query={query} what="source" rows={12}>
        {(contracts) =>
          contracts.length === 0 ? (
            <Panel title="Source">
              <Empty title="Source code unknown">
                Import the project’s build output, verify the contract with Foundry or Hardhat, or configure an explorer
                that has it.
              </Empty>
            </Panel>
          ) : (
            <Files contracts={contracts} file={file} onFile={onFile} />
          )
        }
      </Loaded>
      {contract !== undefined && <AbiView contract={contract} />}
    </>
  )
}

const origins: Record<string, string> = { verified: 'verified on this network', import: 'imported' }

function Files({ contracts, file, onFile }: { contracts: Sources; file: string | undefined; onFile: Props['onFile'] }) {
  const all = contracts.flatMap((contract) =>
    contract.files.map((one) => ({ contract, ...one, id: `${contract.address}/${one.path}` })),
  )
  const shown = all.find(({ id }) => id === file) ?? all[0]
  return shown ? <ShownFile contracts={contracts} all={all} shown={shown} onFile={onFile} /> : null
}

type OneFile = { contract: Sources[number]; path: string; content: string; id: string }
type Shown = { contracts: Sources; all: readonly OneFile[]; shown: OneFile; onFile: Props['onFile'] }

function ShownFile({ contracts, all, shown: { contract, path, content, id }, onFile }: Shown) {
  const { data: coverage } = useCoverage(contract.address)
  return (
    <Panel
      title="Source"
      note={
        <>
          {contract.name ?? 'Contract'}, {origins[contract.origin] ?? `from ${contract.origin}`}
          {contract.compiler && `, compiled with ${contract.compiler}`}
          {contracts.length > 1 && <Account address={contract.address} className="ml-2" />}
        </>
      }
      actions={
        <>
          {all.length > 1 && (
            <select
              aria-label="File"
              value={id}
              onChange={(event) => onFile(event.target.value)}
              className="h-7 max-w-72 rounded-md border border-line bg-panel px-1.5 text-xs"
            >
              {contracts.map(({ address, name, files }) => (
                <optgroup key={address} label={name ?? address}>
                  {files.map((one) => (
                    <option key={one.path} value={`${address}/${one.path}`}>
                      {one.path}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          )}
          <CopyButton text={content} what="source" />
        </>
      }
    >
      {coverage && <CoverageBar coverage={coverage} />}
      <p className="hex border-line border-b px-3 py-1.5 text-soft text-xs">{path}</p>
      <div className="py-2">
        <Suspense fallback={<Skeleton what="source" rows={12} />}>
          <CodeView
            key={id}
            source={content}
            path={path}
            reached={coverage?.startedAt ? linesOf(coverage, path) : undefined}
          />
        </Suspense>
      </div>
    </Panel>
  )
}
