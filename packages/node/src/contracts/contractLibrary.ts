import type { Address } from '@understudy/evm'
import { createMutex } from '../shared/async/mutex.ts'
import { createBoundedCache } from '../shared/caches.ts'
import type { Clock } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import { hexFromBytes } from '../shared/hex.ts'
import { createPace, yieldToEventLoop } from '../shared/yieldToEventLoop.ts'
import type { Database, Queries } from '../storage/database.ts'
import {
  addContract,
  addContractVersion,
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
import type { ChangeNotice } from '../storage/tables.ts'
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
    position?: { blockNumber: bigint; transactionPosition: number },
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

/** A contract of a push, and its version if that is new. */
type StoredContract = { contract: PushedContract; version: TemplateRecord | undefined }

/** The versions of all contracts in memory, found by the code that they create and have. */
class KnownVersions {
  /** The ids of imported contracts by their names. */
  readonly imported = new Map<string, string>()
  readonly #versions = new Map<string, TemplateRecord>()
  readonly #newest = new Map<string, TemplateRecord>()
  readonly #runtimes = new TemplateIndex<string>()
  readonly #creations = new TemplateIndex<string>()

  add(version: TemplateRecord): void {
    this.#versions.set(version.id, version)
    this.#newest.set(version.contractId, version)
    if (version.runtimeTemplate) this.#runtimes.add(version.id, version.runtimeTemplate as CodeTemplate)
    if (version.creationTemplate) this.#creations.add(version.id, version.creationTemplate as CodeTemplate)
  }

  /** Returns the ids of the versions that are gone. */
  forget(contractId: string): string[] {
    const gone = [...this.#versions.values()].filter((version) => version.contractId === contractId)
    for (const version of gone) {
      this.#versions.delete(version.id)
      if (version.runtimeTemplate) this.#runtimes.remove(version.id, version.runtimeTemplate as CodeTemplate)
      if (version.creationTemplate) this.#creations.remove(version.id, version.creationTemplate as CodeTemplate)
    }
    this.#newest.delete(contractId)
    for (const [name, id] of this.imported) if (id === contractId) this.imported.delete(name)
    return gone.map(({ id }) => id)
  }

  contracts(): string[] {
    return [...this.#newest.keys()]
  }

  newest(contractId: string): TemplateRecord | undefined {
    return this.#newest.get(contractId)
  }

  /** Whether there is code that a deployed contract could match. */
  hasCode(): boolean {
    return [...this.#newest.values()].some(({ runtimeTemplate }) => runtimeTemplate !== undefined)
  }

  /** The newest version that has a code; `isCreation`: that is created by it. Of several contracts, one. */
  newestWith(code: Uint8Array, isCreation: boolean): TemplateRecord | undefined {
    const found = isCreation ? this.#createdBy(code).map(({ version }) => version) : this.#withCode(code)
    return newestOfEach(found)[0]
  }

  /**
   * The contracts that deployed code or creation input matches, by their newest versions; `length`: how much of the creation
   * input is code, the rest being arguments.
   */
  matching(code: Uint8Array, initCode?: Uint8Array): { version: TemplateRecord; length: number | undefined }[] {
    const whole = newestOfEach(this.#withCode(code))
    const starts = initCode ? this.#createdBy(initCode) : []
    const lengths = new Map(starts.map(({ version, length }) => [version.id, length]))
    const [longest] = starts
    // Creation input that matches a contract and an argument may also match a shorter contract.
    const begun = longest
      ? newestOfEach(starts.filter(({ length }) => length === longest.length).map(({ version }) => version))
      : []
    const matched = whole.length > 0 ? whole : begun
    return matched.map((version) => ({ version, length: lengths.get(version.id) }))
  }

  #withCode(code: Uint8Array): TemplateRecord[] {
    return this.#runtimes.matchWhole(code).flatMap((id) => this.#versions.get(id) ?? [])
  }

  /** Those whose creation code an input begins with, and its length. */
  #createdBy(initCode: Uint8Array): { version: TemplateRecord; length: number }[] {
    return this.#creations.matchStart(initCode).flatMap(({ key, length }) => {
      const version = this.#versions.get(key)
      return version ? [{ version, length }] : []
    })
  }
}

type StoreNeeds = Pick<Needs, 'createId'> & { known: KnownVersions; now: number }

async function storeAll(
  transaction: Queries,
  contracts: readonly CheckedContract[],
  needs: StoreNeeds,
): Promise<StoredContract[]> {
  const pace = createPace(sliceMs)
  const stored: StoredContract[] = []
  for (const contract of contracts) {
    await pace()
    stored.push(await store(transaction, contract, needs))
  }
  await yieldToEventLoop() // A large push takes as long to be committed.
  return stored
}

async function store(
  transaction: Queries,
  contract: CheckedContract,
  { known, createId, now }: StoreNeeds,
): Promise<StoredContract> {
  const { name, digest } = contract
  const before = known.imported.get(name)
  const last = before === undefined ? undefined : known.newest(before)
  if (before !== undefined && last && isVersion(contract, last.digest)) {
    await saveSource(transaction, last.id, contract)
    return { contract: { name, contractId: before, versionId: last.id, status: 'unchanged' }, version: undefined }
  }
  const contractId = before ?? `pc_${createId()}`
  if (before === undefined) await addContract(transaction, { id: contractId, origin: 'import', name, createdAt: now })
  const id = `pcv_${createId()}`
  const number = (last?.number ?? 0) + 1
  const { runtimeTemplate, creationTemplate } = contract
  await addContractVersion(transaction, { ...contract, id, contractId, number, createdAt: now })
  return {
    contract: { name, contractId, versionId: id, status: before === undefined ? 'created' : 'new_version' },
    version: { id, contractId, number, digest, runtimeTemplate, creationTemplate },
  }
}

/** Opens the stored library. */
export async function createContractLibrary({ database, clock, createId }: Needs): Promise<ContractLibrary> {
  const { queries } = database
  const mutex = createMutex()
  const known = new KnownVersions()
  const abis = createAbiCache(queries)
  const layouts = createLayoutCache(queries)
  await load(queries)

  async function load(from: Queries): Promise<void> {
    const contracts = await loadContracts(from, { origin: 'import' })
    const templates = await loadTemplates(from)
    for (const contractId of known.contracts()) forget(contractId)
    for (const { name, id } of contracts) known.imported.set(name, id)
    for (const version of templates) known.add(version)
  }

  function forget(contractId: string): void {
    for (const id of known.forget(contractId)) {
      abis.delete(id)
      layouts.delete(id)
    }
  }

  const loadAbi = async (versionId: string) => (await abis.fetch(versionId)) as ContractAbi

  return {
    loadAbi,
    loadStorageLayout: async (versionId) => (await layouts.fetch(versionId))?.layout,
    isEmpty: () => !known.hasCode(),
    push: (contracts) =>
      mutex.run(async () => {
        const now = clock.now()
        await yieldToEventLoop()
        const results = await database.transaction((transaction) =>
          storeAll(transaction, contracts, { known, createId, now }),
        )
        for (const { contract, version } of results) {
          if (version && contract.status === 'created') known.imported.set(contract.name, contract.contractId)
          if (version) known.add(version)
        }
        return results.map(({ contract }) => contract)
      }),

    versionOf(code, isCreation) {
      return known.newestWith(code, isCreation)?.id
    },

    async match(code, initCode) {
      return Promise.all(
        known.matching(code, initCode).map(async ({ version: { id, contractId }, length }) => {
          const args = initCode && length !== undefined ? hexFromBytes(initCode.subarray(length)) : undefined
          const constructorArgs = args && decodeConstructorArgs(await loadAbi(id), args)
          return { contractId, versionId: id, constructorArgs }
        }),
      )
    },

    link: (transaction, address, { contractId, versionId, constructorArgs }, position) =>
      saveDeployment(transaction, {
        id: `pcd_${createId()}`,
        contractId,
        versionId,
        address,
        blockNumber: position?.blockNumber,
        transactionPosition: position?.transactionPosition,
        constructorArgs,
        createdAt: clock.now(),
      }),

    describe: ({ id, name, abi }) =>
      mutex.run(async () => {
        const now = clock.now()
        const contractId = id ?? `pc_${createId()}`
        const last = known.newest(contractId)
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
          if (id === undefined)
            await addContract(transaction, { id: contractId, origin: 'manual', name, createdAt: now })
          else await renameContract(transaction, contractId, name)
          if (version.id !== last?.id)
            await addContractVersion(transaction, { ...version, ...withoutCode, abi, createdAt: now })
        })
        if (version.id !== last?.id) known.add(version)
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
function newestOfEach(versions: readonly TemplateRecord[]): TemplateRecord[] {
  const found = new Map<string, TemplateRecord>()
  for (const version of versions)
    if (version.number > (found.get(version.contractId)?.number ?? 0)) found.set(version.contractId, version)
  return [...found.values()]
}
