import type { Address } from '@understudy/evm'
import { createBoundedCache } from '../shared/caches/boundedCache.ts'
import type { Clock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import { createPace, giveWay } from '../shared/giveWay.ts'
import { hexFromBytes } from '../shared/hex.ts'
import { createMutex } from '../shared/mutex.ts'
import type { ChangeNotice } from '../storage/changeNotice.ts'
import type { Database, Queries } from '../storage/database.ts'
import {
  addContract,
  addContractVersion,
  type ContractRecord,
  loadContracts,
  loadContractVersions,
  loadTemplates,
  loadVersionPart,
  removeContract,
  renameContract,
  saveDeployment,
  saveSource,
  type TemplateRecord,
} from '../storage/records/contracts/contracts.ts'
import { type ContractAbi, contractAbi } from './contractAbi.ts'
import { type DecodedValue, decodeConstructorArgs } from './decode.ts'
import { type CheckedContract, isVersion } from './importedContract.ts'
import type { CodeTemplate } from './matching/codeTemplate.ts'
import { TemplateIndex } from './matching/templateIndex.ts'
import { parseStorageLayout, type StorageLayout, sizeOfLayout } from './storageLayout/layout.ts'

/** The contract version that a code matches. */
export type CodeMatch = { contractId: string; versionId: string; constructorArgs: DecodedValue[] | undefined }

export type PushedContract = {
  name: string
  contractId: string
  versionId: string
  status: 'created' | 'new_version' | 'unchanged'
  /** Why some of its deployments will not be recognised, and what to push. */
  warning?: string
}

/** Project contracts: imported ones, and those that workspaces define by an ABI. */
export type ContractLibrary = {
  /** Stores all of them or none. */
  push(contracts: readonly CheckedContract[]): Promise<PushedContract[]>
  /** Whether it has no code that a deployed contract could match. */
  isEmpty(): boolean
  /** The contracts that deployed code or creation input matches; the newest matching version of each. */
  match(code: Uint8Array, initCode?: Uint8Array): Promise<CodeMatch[]>
  /** The newest version of a contract that has a code; `isCreation`: of one that is created by it. Of several contracts, one. */
  versionOf(code: Uint8Array, isCreation: boolean): string | undefined
  /** Records a deployment of a contract; returns the deployment's id. */
  link(
    queries: Queries,
    address: Address,
    match: CodeMatch,
    place?: { blockNumber: bigint; transactionPosition: number },
  ): Promise<string>
  /** Adds a contract that has only an ABI; the one with that id gets a new version if its ABI differs. */
  describe(input: {
    id: string | undefined
    name: string
    abi: string
  }): Promise<{ contractId: string; versionId: string }>
  loadAbi(versionId: string): Promise<ContractAbi>
  /** The storage layout of a version; `undefined` if it was pushed without one, or with an invalid one. */
  loadStorageLayout(versionId: string): Promise<StorageLayout | undefined>
  /** Throws `NOT_FOUND`. */
  remove(id: string): Promise<void>
  /** Loads what another node stored. */
  refresh(notice: ChangeNotice): Promise<void>
}

type Needs = { database: Database; clock: Clock; createId: () => string }

/** How long a push may block other requests between two contracts, in milliseconds. */
const sliceMs = 10

/** Number of ABIs that are cached in prepared form. */
const cacheLimit = 500
/** Number of types, variables and members of the storage layouts that are cached in prepared form, about 500 bytes each. */
const layoutLimit = 100_000

/** What a contract lacks that only an ABI describes. */
const withoutCode = {
  runtime: undefined,
  creation: undefined,
  storageLayout: undefined,
  sourcePath: undefined,
  source: undefined,
  lines: undefined,
}

const createAbiCache = (queries: Queries) =>
  createBoundedCache<string, ContractAbi>(cacheLimit, {
    async load(id) {
      const [version] = await loadContractVersions(queries, { id })
      return contractAbi(version ? JSON.parse(version.abi) : [])
    },
  })

/** Reading a large layout takes tens of milliseconds. */
const createLayoutCache = (queries: Queries) =>
  createBoundedCache<string, { layout: StorageLayout | undefined }>(layoutLimit, {
    load: async (id) => ({ layout: parseStorageLayout(await loadVersionPart(queries, id, 'storage_layout')) }),
    sizeOf: ({ layout }) => 1 + (layout ? sizeOfLayout(layout) : 0),
  })

/** Opens the stored library. */
export async function createContractLibrary({ database, clock, createId }: Needs): Promise<ContractLibrary> {
  const { queries } = database
  const mutex = createMutex()
  const versions = new Map<string, TemplateRecord>()
  const runtimes = new TemplateIndex<string>()
  const creations = new TemplateIndex<string>()
  const abis = createAbiCache(queries)
  const layouts = createLayoutCache(queries)
  const imported = new Map<string, string>()
  const newest = new Map<string, TemplateRecord>()
  await load(queries)

  async function load(from: Queries): Promise<void> {
    const contracts = await loadContracts(from, { origin: 'import' })
    const templates = await loadTemplates(from)
    for (const contractId of [...newest.keys()]) forget(contractId)
    for (const { name, id } of contracts) imported.set(name, id)
    for (const version of templates) register(version)
  }

  function register(version: TemplateRecord): void {
    versions.set(version.id, version)
    newest.set(version.contractId, version)
    if (version.runtimeTemplate) runtimes.add(version.id, version.runtimeTemplate as CodeTemplate)
    if (version.creationTemplate) creations.add(version.id, version.creationTemplate as CodeTemplate)
  }

  function forget(contractId: string): void {
    for (const version of [...versions.values()].filter((known) => known.contractId === contractId)) {
      versions.delete(version.id)
      abis.delete(version.id)
      layouts.delete(version.id)
      if (version.runtimeTemplate) runtimes.remove(version.id, version.runtimeTemplate as CodeTemplate)
      if (version.creationTemplate) creations.remove(version.id, version.creationTemplate as CodeTemplate)
    }
    newest.delete(contractId)
    for (const [name, id] of imported) if (id === contractId) imported.delete(name)
  }

  const loadAbi = async (versionId: string) => (await abis.fetch(versionId)) as ContractAbi
  const newestOf = (ids: Iterable<string>) => newestVersions([...ids].flatMap((id) => versions.get(id) ?? []))

  async function push(contracts: readonly CheckedContract[]): Promise<PushedContract[]> {
    const now = clock.now()
    const added: { contract: ContractRecord | undefined; version: TemplateRecord }[] = []
    await giveWay()
    const pace = createPace(sliceMs)
    const results = await database.transaction(async (transaction) => {
      const pushed: PushedContract[] = []
      for (const contract of contracts) {
        await pace()
        const { name, digest } = contract
        const known = imported.get(name)
        const last = known === undefined ? undefined : newest.get(known)
        if (known !== undefined && last && isVersion(contract, last.digest)) {
          await saveSource(transaction, last.id, contract)
          pushed.push({ name, contractId: known, versionId: last.id, status: 'unchanged' })
          continue
        }
        const record: ContractRecord = { id: known ?? `pc_${createId()}`, origin: 'import', name, createdAt: now }
        if (known === undefined) await addContract(transaction, record)
        const version = {
          ...contract,
          id: `pcv_${createId()}`,
          contractId: record.id,
          number: (last?.number ?? 0) + 1,
          createdAt: now,
        }
        await addContractVersion(transaction, version)
        const { id, contractId, number, runtimeTemplate, creationTemplate } = version
        added.push({
          contract: known === undefined ? record : undefined,
          version: { id, contractId, number, digest, runtimeTemplate, creationTemplate },
        })
        pushed.push({ name, contractId, versionId: id, status: known === undefined ? 'created' : 'new_version' })
      }
      await giveWay() // A large push takes as long to be committed.
      return pushed
    })
    for (const { contract, version } of added) {
      if (contract) imported.set(contract.name, contract.id)
      register(version)
    }
    return results
  }

  return {
    loadAbi,
    loadStorageLayout: async (versionId) => (await layouts.fetch(versionId))?.layout,
    isEmpty: () => ![...newest.values()].some(({ runtimeTemplate }) => runtimeTemplate !== undefined),
    push: (contracts) => mutex.run(() => push(contracts)),

    versionOf(code, isCreation) {
      const ids = isCreation ? creations.matchStart(code).map(({ key }) => key) : runtimes.matchWhole(code)
      return newestOf(ids)[0]?.id
    },

    async match(code, initCode) {
      const whole = newestOf(runtimes.matchWhole(code))
      const starts = initCode ? creations.matchStart(initCode) : []
      const lengths = new Map(starts.map(({ key, length }) => [key, length]))
      const [longest] = starts
      // Creation input that matches a contract and an argument may also match a shorter contract.
      const begun = longest
        ? newestOf(starts.filter(({ length }) => length === longest.length).map(({ key }) => key))
        : []
      const matched = whole.length > 0 ? whole : begun
      return Promise.all(
        matched.map(async ({ id, contractId }) => {
          const length = lengths.get(id)
          const args = initCode && length !== undefined ? hexFromBytes(initCode.subarray(length)) : undefined
          const constructorArgs = args && decodeConstructorArgs(await loadAbi(id), args)
          return { contractId, versionId: id, constructorArgs }
        }),
      )
    },

    link: (transaction, address, { contractId, versionId, constructorArgs }, place) =>
      saveDeployment(transaction, {
        id: `pcd_${createId()}`,
        contractId,
        versionId,
        address,
        blockNumber: place?.blockNumber,
        transactionPosition: place?.transactionPosition,
        constructorArgs,
        createdAt: clock.now(),
      }),

    describe: ({ id: known, name, abi }) =>
      mutex.run(async () => {
        const now = clock.now()
        const contractId = known ?? `pc_${createId()}`
        const last = newest.get(contractId)
        const digest = abi
        const version: TemplateRecord = {
          id: last?.digest === digest ? last.id : `pcv_${createId()}`,
          contractId,
          number: (last?.number ?? 0) + 1,
          digest,
          runtimeTemplate: undefined,
          creationTemplate: undefined,
        }
        await database.transaction(async (transaction) => {
          if (known === undefined)
            await addContract(transaction, { id: contractId, origin: 'manual', name, createdAt: now })
          else await renameContract(transaction, contractId, name)
          if (version.id !== last?.id)
            await addContractVersion(transaction, { ...version, ...withoutCode, abi, createdAt: now })
        })
        if (version.id !== last?.id) register(version)
        return { contractId, versionId: version.id }
      }),

    refresh: ({ queries: notice, isChanged }) =>
      mutex.run(async () => {
        if (isChanged('contracts') || isChanged('contract_versions')) await load(notice)
      }),

    remove: (id) =>
      mutex.run(async () => {
        const [contract] = await loadContracts(queries, { id })
        if (!contract) throw new NetworkError('NOT_FOUND', { resource: 'contract', id })
        await database.transaction((transaction) => removeContract(transaction, id))
        forget(id)
      }),
  }
}

/** If several versions of a contract have the same code, the newest. */
function newestVersions(versions: readonly TemplateRecord[]): TemplateRecord[] {
  const found = new Map<string, TemplateRecord>()
  for (const version of versions)
    if (version.number > (found.get(version.contractId)?.number ?? 0)) found.set(version.contractId, version)
  return [...found.values()]
}
