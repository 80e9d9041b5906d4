import type { Address } from '@understudy/evm'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import type { State } from '../state/state.ts'
import type { Database } from '../storage/database.ts'
import { countCalls } from '../storage/records/activity/calls.ts'
import {
  type ContractRecord,
  type DeploymentRecord,
  loadContracts,
  loadDeployments,
  loadVersionSummaries,
  type VersionSummary,
} from '../storage/records/contracts/contracts.ts'
import type { ContractLibrary, PushedContract } from './contractLibrary.ts'
import { type FoundDeployment, findLocalDeployments, findUpstreamDeployments } from './deployedCode.ts'
import { type CheckedContract, checkContracts, type LocalContract } from './importedContract.ts'

/** A deployment from before its contract was pushed; `backfilledCalls`: past calls to it that the ABI decodes. */
export type LinkedDeployment = { name: string; address: Address; backfilledCalls: number }

export type ImportResult = { contracts: PushedContract[]; linkedDeployments: LinkedDeployment[] }

export type ImportedContract = ContractRecord & {
  versions: VersionSummary[]
  deployments: DeploymentRecord[]
}

/** Imports of compiled contracts, which are recognised wherever they are deployed, before or after. */
export type ContractImports = {
  /** Stores all contracts or none, and links them to existing deployments. Throws `INVALID_PARAMS`. */
  import(contracts: readonly LocalContract[]): Promise<ImportResult>
  list(): Promise<ImportedContract[]>
  /** Removes a contract with its versions and deployments. Throws `NOT_FOUND`. */
  remove(id: string): Promise<void>
}

type Needs = {
  database: Database
  state: Pick<State, 'exclusive' | 'latest'>
  library: ContractLibrary
  /** Addresses of the live chain that every import is compared with. */
  liveContracts: readonly Address[]
  logger: Logger
}

export function createContractImports({ database, state, library, liveContracts, logger }: Needs): ContractImports {
  const { queries } = database

  /** An unreachable upstream does not fail an import: the contract is linked when it is pushed again or looked at. */
  async function loadFromUpstream(): Promise<FoundDeployment[]> {
    try {
      return await findUpstreamDeployments(queries, state.latest(), library, liveContracts)
    } catch (error) {
      if (!isNetworkError(error)) throw error
      logger.warn({ err: error }, 'Could not compare imported contracts with upstream')
      return []
    }
  }

  /** Stores the deployments of these contracts. */
  async function link(found: readonly FoundDeployment[], pushed: ReadonlyMap<string, PushedContract>) {
    const linked = found.filter(({ match }) => pushed.get(match.contractId)?.versionId === match.versionId)
    await database.transaction(async (transaction) => {
      for (const { address, match, creation } of linked) await library.link(transaction, address, match, creation)
    })
    return linked
  }

  return {
    async import(contracts) {
      const checked = await checkContracts(contracts)
      const pushed = (await library.push(checked)).map((contract, index) => ({
        ...contract,
        ...warningOf(checked[index]),
      }))
      const byContract = new Map(pushed.map((contract) => [contract.contractId, contract]))
      const foreign = await link(await loadFromUpstream(), byContract)
      // Recognise new creations from now on, so that none is missed between them and the existing ones.
      const own = await state.exclusive(async () => link(await findLocalDeployments(queries, library), byContract))
      const linkedDeployments: LinkedDeployment[] = []
      for (const { address, match } of [...own, ...foreign]) {
        const { functions } = await library.loadAbi(match.versionId)
        let backfilledCalls = 0
        for (const [selector, count] of await countCalls(queries, address))
          if (selector !== undefined && functions.has(selector)) backfilledCalls += count
        linkedDeployments.push({ name: byContract.get(match.contractId)?.name ?? '', address, backfilledCalls })
      }
      return { contracts: pushed, linkedDeployments }
    },

    async list() {
      const [versions, deployments] = [await loadVersionSummaries(queries), await loadDeployments(queries, 'all')]
      const versionsOf = groupBy(versions, ({ contractId }) => contractId)
      const deploymentsOf = groupBy(deployments, ({ contractId }) => contractId)
      const contracts = await loadContracts(queries, { origin: 'import' })
      return contracts.map((contract) => ({
        ...contract,
        versions: versionsOf.get(contract.id) ?? [],
        deployments: deploymentsOf.get(contract.id) ?? [],
      }))
    },

    async remove(id) {
      const [contract] = await loadContracts(queries, { id, origin: 'import' })
      if (!contract) throw new NetworkError('NOT_FOUND', { resource: 'imported contract', id })
      await library.remove(id)
    },
  }
}

const onlyCreation =
  'only creation code was pushed, so it is recognised where a transaction or a contract of this network creates it, but not on the live chain, or where its code was set directly. Also push the deployed (runtime) bytecode, as bytecode or deployedBytecode'

const warningOf = (contract: CheckedContract | undefined) =>
  contract?.creationTemplate && !contract.runtimeTemplate ? { warning: onlyCreation } : {}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}
