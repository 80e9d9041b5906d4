import type { Address } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import { parseContractAbi } from '../contracts/contractAbi.ts'
import type { ContractCodes } from '../contracts/contractCode.ts'
import type { ContractLibrary } from '../contracts/contractLibrary.ts'
import type { Recognition } from '../contracts/recognition.ts'
import type { Execution } from '../execution/execution.ts'
import { createMutex } from '../shared/async/mutex.ts'
import type { Clock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import type { Database } from '../storage/database.ts'
import { loadDeployments, nameWorkspace, renameContract } from '../storage/records/contracts/contracts.ts'
import { type DescribedContract, loadDescribedContracts } from '../storage/records/contracts/describedContracts.ts'
import {
  loadWorkspaces,
  removeWorkspace,
  saveWorkspace,
  type WorkspaceRecord,
} from '../storage/records/contracts/workspaces.ts'
import { findTokenType } from './tokenType.ts'
import type {
  MainnetContractWorkspace,
  ManualWorkspace,
  TokenType,
  WalletWorkspace,
  Workspace,
  WorkspaceInput,
} from './workspace.ts'

/** Dashboards of accounts and contracts. Each change is durable when it resolves. */
export type Workspaces = {
  /**
   * Adds a workspace; its kind follows from the inputs. Adding the same again updates its name, and a changed ABI
   * creates a new version. Throws `WORKSPACE_NEEDS_ABI`, and `INVALID_PARAMS` for an invalid ABI.
   */
  add(input: WorkspaceInput): Promise<Workspace>
  /** Oldest first. Imported contracts are included from their first deployment on. */
  list(): Promise<Workspace[]>
  /** Throws `WORKSPACE_NOT_FOUND`, like `remove`. */
  require(id: string): Promise<Workspace>
  /** Also removes the contract that it describes; for an imported one, the import. */
  remove(id: string): Promise<void>
}

type Needs = {
  database: Database
  history: Pick<History, 'at'>
  execution: Pick<Execution, 'call'>
  library: ContractLibrary
  codes: ContractCodes
  recognition: Recognition
  clock: Clock
  createId: () => string
}

export function createWorkspaces(needs: Needs): Workspaces {
  const { database, history, execution, library, codes, recognition, clock, createId } = needs
  const { queries } = database
  const mutex = createMutex()
  const save = (record: WorkspaceRecord) => database.transaction((transaction) => saveWorkspace(transaction, record))
  const link = (address: Address, match: Parameters<ContractLibrary['link']>[2]) =>
    database.transaction((transaction) => library.link(transaction, address, match))

  async function add(input: WorkspaceInput): Promise<Workspace> {
    const { name, address, abi } = input
    if (abi !== undefined) return describe(name, address, abi)
    if (address === undefined)
      throw new NetworkError('INVALID_PARAMS', {
        field: 'address',
        problem: 'is missing. Pass the address of a wallet or contract, the abi of a contract, or both',
      })
    const { origin, code } = await codes.load(address)
    if (origin === 'none') return addWallet(name, address)
    if (origin === 'upstream') return addMainnetContract(name, address, input.type)
    const known = await findImport(address, code)
    if (!known) throw new NetworkError('WORKSPACE_NEEDS_ABI', { address })
    const save = known.origin === 'import' ? nameWorkspace : renameContract
    await database.transaction((transaction) => save(transaction, known.id, name))
    return { ...known, name }
  }

  async function addWallet(name: string, address: Address): Promise<WalletWorkspace> {
    const record = { id: `wlt_${createId()}`, kind: 'wallet', address, name, type: undefined } as const
    return walletOf(await save({ ...record, createdAt: clock.now() }))
  }

  async function addMainnetContract(
    name: string,
    address: Address,
    hint: TokenType | undefined,
  ): Promise<MainnetContractWorkspace> {
    await recognition.recognise(address)
    const type = hint ?? (await findTokenType(address, { point: await history.at('latest'), execution }))
    const record = { id: `mpc_${createId()}`, kind: 'mainnet-contract', address, name, type } as const
    return mainnetContractOf(await save({ ...record, createdAt: clock.now() }))
  }

  /** The project contract of an address: the one linked last, or recognised now. */
  async function findImport(address: Address, code: Uint8Array): Promise<ManualWorkspace | undefined> {
    const linked = (await loadDeployments(queries, { addresses: [address] })).at(-1)
    if (linked) return manualAt(linked.contractId, { id: linked.id, address })
    const match = (await library.match(code)).at(-1)
    if (!match) return undefined
    const id = await link(address, match)
    return manualAt(match.contractId, { id, address })
  }

  async function describe(name: string, address: Address | undefined, abi: string): Promise<ManualWorkspace> {
    const parsed = parseContractAbi(abi)
    if ('problem' in parsed) throw new NetworkError('INVALID_PARAMS', { field: 'abi', problem: parsed.problem })
    const manual = (await loadDescribedContracts(queries)).filter(({ origin }) => origin === 'manual')
    const same =
      address === undefined
        ? manual.find((contract) => contract.deployment === undefined && contract.name === name)
        : manual.find((contract) => contract.deployment?.address === address)
    const described = await library.describe({ id: same?.id, name, abi })
    if (address === undefined) return manualAt(described.contractId, undefined)
    const id = await link(address, { ...described, constructorArgs: undefined })
    return manualAt(described.contractId, { id, address })
  }

  async function manualAt(id: string, deployment: ManualWorkspace['deployment']): Promise<ManualWorkspace> {
    const [contract] = await loadDescribedContracts(queries, id)
    if (!contract) throw new NetworkError('WORKSPACE_NOT_FOUND', { id })
    return { ...manualOf(contract), deployment }
  }

  async function require(id: string): Promise<Workspace> {
    const [contract] = id.startsWith('pc_') ? await loadDescribedContracts(queries, id) : []
    if (contract) return manualOf(contract)
    const [record] = await loadWorkspaces(queries, id)
    if (!record) throw new NetworkError('WORKSPACE_NOT_FOUND', { id })
    return recordOf(record)
  }

  return {
    add: (input) => mutex.run(() => add(input)),
    async list() {
      const all = [
        ...(await loadWorkspaces(queries)).map(recordOf),
        ...(await loadDescribedContracts(queries)).map(manualOf),
      ]
      return all.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    },
    require,
    remove: (id) =>
      mutex.run(async () => {
        const { kind } = await require(id)
        if (kind === 'manual') await library.remove(id)
        else await database.transaction((transaction) => removeWorkspace(transaction, id))
      }),
  }
}

const recordOf = (record: WorkspaceRecord): Workspace =>
  record.kind === 'wallet' ? walletOf(record) : mainnetContractOf(record)

const walletOf = ({ id, name, address, createdAt }: WorkspaceRecord): WalletWorkspace => ({
  kind: 'wallet',
  id,
  name,
  address,
  createdAt,
})

const mainnetContractOf = ({ id, name, address, type, createdAt }: WorkspaceRecord): MainnetContractWorkspace => ({
  kind: 'mainnet-contract',
  id,
  name,
  address,
  type,
  createdAt,
})

const manualOf = (contract: DescribedContract): ManualWorkspace => ({
  kind: 'manual',
  id: contract.id,
  name: contract.name,
  createdAt: contract.createdAt,
  origin: contract.origin,
  version: { id: contract.versionId, number: contract.versionNumber },
  deployment: contract.deployment,
  deployments: contract.deployments,
})
