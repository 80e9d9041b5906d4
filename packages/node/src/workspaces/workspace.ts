import type { Address } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import type { Queries } from '../storage/database.ts'
import { loadDeploymentAt } from '../storage/records/contracts/describedContracts.ts'

/** A dashboard of one account or contract. Times are milliseconds since 1970. */
export type Workspace = WalletWorkspace | MainnetContractWorkspace | ManualWorkspace

type Common = { id: string; name: string; createdAt: number }

/** An account without code. */
export type WalletWorkspace = Common & { kind: 'wallet'; address: Address }

/** A contract of the live chain. */
export type MainnetContractWorkspace = Common & {
  kind: 'mainnet-contract'
  address: Address
  /** As passed or detected; `undefined` if it is neither. */
  type: TokenType | undefined
}

/** A project contract: defined by an ABI, or imported. */
export type ManualWorkspace = Common & {
  kind: 'manual'
  origin: 'manual' | 'import'
  /** The latest version. */
  version: { id: string; number: number }
  /** The deployment linked last, of `deployments`. */
  deployment: { id: string; address: Address } | undefined
  deployments: number
}

export type TokenType = 'ERC20' | 'ERC721'

export type WorkspaceInput = {
  name: string
  address: Address | undefined
  /** JSON. */
  abi: string | undefined
  type: TokenType | undefined
}

/** What a dashboard shows; without an address, nothing is deployed. */
export type Target = { workspace: Workspace; address: Address | undefined }

/** The address of a workspace; if there are several deployments, the requested one, or the one linked last. */
export async function targetOf(queries: Queries, workspace: Workspace, wanted: Address | undefined): Promise<Target> {
  const own = workspace.kind === 'manual' ? workspace.deployment?.address : workspace.address
  if (wanted === undefined || wanted === own) return { workspace, address: own }
  const isDeployment = workspace.kind === 'manual' && (await loadDeploymentAt(queries, workspace.id, wanted))
  if (isDeployment) return { workspace, address: wanted }
  throw new NetworkError('INVALID_PARAMS', {
    field: 'address',
    problem: `${wanted} does not belong to this workspace. dev_getWorkspaceHistory lists its deployments`,
  })
}
