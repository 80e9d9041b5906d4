import type { Address } from '@understudy/evm'
import { wrongCursor } from '../activity/page.ts'
import { contractAbi } from '../contracts/contractAbi.ts'
import type { DecodedValue } from '../contracts/decode.ts'
import { signatureOf } from '../ethereum/abi/signature.ts'
import type { Queries } from '../storage/database.ts'
import { loadContractVersions } from '../storage/records/contracts/contracts.ts'
import { loadDeploymentPage } from '../storage/records/contracts/describedContracts.ts'
import type { Workspace } from './workspace.ts'

/** The versions of a contract, newest first, and a page of its deployments, the one linked last first. */
export type WorkspaceHistory = { versions: VersionEntry[]; deployments: DeploymentEntry[]; next: string | undefined }

export type VersionEntry = {
  id: string
  number: number
  createdAt: number
  sourcePath: string | undefined
  hasBytecode: boolean
  hasStorageLayout: boolean
  /** Signatures of functions, events and errors added and removed since the previous version. */
  added: string[]
  removed: string[]
}

export type DeploymentEntry = {
  id: string
  versionId: string
  address: Address
  /** `undefined` if it was not created on this network. */
  blockNumber: bigint | undefined
  constructorArgs: DecodedValue[] | undefined
  createdAt: number
}

/** Maximum number of versions: the newest. */
const versionLimit = 100

export async function loadWorkspaceHistory(
  workspace: Workspace,
  { limit, cursor }: { limit: number; cursor: string | undefined },
  { queries }: { queries: Queries },
): Promise<WorkspaceHistory> {
  if (workspace.kind !== 'manual') return { versions: [], deployments: [], next: undefined }
  const [, time, id] = (cursor !== undefined && /^(\d{1,15})\.(pcd_\w+)$/.exec(cursor)) || []
  if (cursor !== undefined && id === undefined) throw wrongCursor()
  const after = id === undefined ? undefined : { createdAt: Number(time), id }
  const found = await loadDeploymentPage(queries, workspace.id, { limit: limit + 1, after })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    versions: await loadVersions(queries, workspace.id),
    deployments: shown.map(({ constructorArgs, ...rest }) => ({
      ...rest,
      constructorArgs: constructorArgs as DecodedValue[] | undefined,
    })),
    next: last && found.length > limit ? `${last.createdAt}.${last.id}` : undefined,
  }
}

async function loadVersions(queries: Queries, contractId: string): Promise<VersionEntry[]> {
  let before = new Set<string>()
  const versions = (await loadContractVersions(queries, { contractId })).slice(-versionLimit)
  const entries = versions.map((version, index): VersionEntry => {
    const { functions, events, errors } = contractAbi(JSON.parse(version.abi))
    const items = [...functions.values(), ...[...events.values()].flat(), ...errors.values()]
    const now = new Set(items.map((item) => `${item.type} ${signatureOf(item)}`))
    const isFirst = index === 0
    const entry = {
      id: version.id,
      number: version.number,
      createdAt: version.createdAt,
      sourcePath: version.sourcePath,
      hasBytecode: version.runtime !== undefined || version.creation !== undefined,
      hasStorageLayout: version.storageLayout !== undefined,
      added: isFirst ? [] : [...now].filter((text) => !before.has(text)),
      removed: [...before].filter((text) => !now.has(text)),
    }
    before = now
    return entry
  })
  return entries.reverse()
}
