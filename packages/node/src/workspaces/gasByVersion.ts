import type { Hex } from '@understudy/evm'
import { contractAbi } from '../contracts/contractAbi.ts'
import { signatureOf } from '../ethereum/abi/signature.ts'
import type { Queries } from '../storage/database.ts'
import { loadMethodGas, type MethodGas } from '../storage/records/activity/activityReads.ts'
import { loadContractVersions } from '../storage/records/contracts/contracts.ts'
import { loadDeploymentPage } from '../storage/records/contracts/describedContracts.ts'
import type { Workspace } from './workspace.ts'

/** The gas of a function in the versions of a contract. */
export type GasByMethod = {
  /** `undefined` for calls without one. */
  selector: Hex | undefined
  /** `undefined` if it is in no ABI of the versions. */
  signature: string | undefined
  /** Those in which it was called, oldest first. */
  versions: VersionGas[]
}

export type VersionGas = Pick<MethodGas, 'calls' | 'gas'> & {
  id: string
  number: number
  /** The median, less that of the version before this one in the list; `undefined` where one of them is missing. */
  change: bigint | undefined
  /** The median rose by 1 % or more. */
  isRegression: boolean
}

/** The newest versions that are deployed, the deployments of a contract, and the calls of each version. */
const versionLimit = 10
const deploymentLimit = 100
const measuredCalls = 10_000

/** The gas of each function by version, by number of calls. From stored calls: nothing runs again. */
export async function loadGasByVersion(
  workspace: Workspace,
  { queries }: { queries: Queries },
): Promise<GasByMethod[]> {
  if (workspace.kind !== 'manual') return []
  const deployments = await loadDeploymentPage(queries, workspace.id, { limit: deploymentLimit, after: undefined })
  const versions = (await loadContractVersions(queries, { contractId: workspace.id }))
    .filter(({ id }) => deployments.some(({ versionId }) => versionId === id))
    .slice(-versionLimit)
  const methods = new Map<Hex | undefined, GasByMethod>()
  for (const { id, number, abi } of versions) {
    const { functions } = contractAbi(JSON.parse(abi))
    const addresses = deployments.filter(({ versionId }) => versionId === id).map(({ address }) => address)
    for (const { selector, calls, gas } of await loadMethodGas(
      queries,
      addresses,
      Math.ceil(measuredCalls / addresses.length),
    )) {
      const item = selector === undefined ? undefined : functions.get(selector)
      const method = methods.get(selector) ?? { selector, signature: undefined, versions: [] }
      methods.set(selector, method)
      if (item) method.signature = signatureOf(item)
      const before = method.versions.at(-1)?.gas?.p50
      const change = gas && before !== undefined ? gas.p50 - before : undefined
      const isRegression = change !== undefined && before !== undefined && change > 0n && change * 100n >= before
      method.versions.push({ id, number, calls, gas, change, isRegression })
    }
  }
  const callsOf = ({ versions: each }: GasByMethod) => each.reduce((sum, { calls }) => sum + calls, 0)
  return [...methods.values()].sort((a, b) => callsOf(b) - callsOf(a))
}
