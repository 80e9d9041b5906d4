import type { Address } from '@understudy/evm'
import { NetworkError } from '../shared/errors.ts'
import type { Queries } from '../storage/database.ts'
import { loadDeploymentAt } from '../storage/records/contracts/describedContracts.ts'
import type { Workspace } from './workspace.ts'

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
