import type { Address, Word } from '@understudy/evm'
import { wrongCursor } from '../activity/page.ts'
import type { History } from '../chain/history/history.ts'
import type { ContractCodes } from '../contracts/contractCode.ts'
import type { ContractDirectory } from '../contracts/contractDirectory.ts'
import type { ContractLibrary } from '../contracts/contractLibrary.ts'
import { encodeVariables } from '../contracts/storageLayout/encodeVariables.ts'
import type { StorageLayout } from '../contracts/storageLayout/layout.ts'
import { findSlotPaths } from '../contracts/storageLayout/slotPaths.ts'
import type { SlotState, StorageSource } from '../contracts/storageLayout/slots.ts'
import { StorageQueryError } from '../contracts/storageLayout/storageItem.ts'
import { readStorage, type StorageEntry, type StorageQuery } from '../contracts/storageLayout/storageReader.ts'
import { isNetworkError, NetworkError } from '../shared/errors.ts'
import { wordFromBigint } from '../shared/hex.ts'
import type { State } from '../state/state.ts'
import { type LoadingView, loadSlots } from '../state/view.ts'
import type { Queries } from '../storage/database.ts'
import { loadMappingKeys } from '../storage/records/activity/mappingKeys.ts'
import { loadContracts, loadDeployments } from '../storage/records/contracts/contracts.ts'
import { loadLocalAccounts, loadLocalSlotPage, loadLocalSlots } from '../storage/records/state/localState.ts'
import { loadLastWriters } from '../storage/records/state/slotVersions.ts'

/** A page of a contract's storage. Without a layout, it has the raw local slots. */
export type WorkspaceStorage = {
  /** The contract whose layout is used. */
  layout: { contract: string; versionId: string } | undefined
  /** The value at the path; `undefined` without a path. */
  entry: StorageEntry | undefined
  entries: StorageEntry[]
  next: string | undefined
}

export type StorageNeeds = {
  queries: Queries
  library: Pick<ContractLibrary, 'loadStorageLayout'>
  history: Pick<History, 'at'>
  state: Pick<State, 'follows' | 'seq'>
  codes: ContractCodes
  knowledge: Pick<ContractDirectory, 'loadImplementations' | 'loadOwn'>
  /** Upstream's state at its head; `undefined` if nothing is forked. */
  upstreamHead: () => LoadingView | undefined
}

/** Reads the storage of a contract with the best known layout. Throws `INVALID_PARAMS`. */
export async function loadWorkspaceStorage(
  address: Address,
  query: StorageQuery,
  needs: StorageNeeds,
): Promise<WorkspaceStorage> {
  const source = await storageOf(address, needs)
  const isSlot = query.path !== undefined && slotPattern.test(query.path)
  const found = isSlot ? undefined : await findLayout(address, needs)
  const withWriters = (storage: WorkspaceStorage) => addWriters(storage, address, needs.queries)
  if (!found) return withWriters({ layout: undefined, ...(await readSlots(address, source, query, needs)) })
  try {
    return await withWriters({ layout: found.layout, ...(await readStorage(found.parsed, source, query)) })
  } catch (error) {
    if (!(error instanceof StorageQueryError)) throw error
    const field = query.path === undefined ? 'cursor' : 'path'
    throw new NetworkError('INVALID_PARAMS', { field, problem: error.message }, { cause: error })
  }
}

/** Notes who last wrote each value. */
async function addWriters(storage: WorkspaceStorage, address: Address, queries: Queries): Promise<WorkspaceStorage> {
  const written: StorageEntry[] = []
  const visit = (entry: StorageEntry) => {
    if (entry.value !== undefined && entry.origin === 'local') written.push(entry)
    entry.parts?.entries.forEach(visit)
  }
  for (const entry of [...(storage.entry ? [storage.entry] : []), ...storage.entries]) visit(entry)
  const writers = await loadLastWriters(queries, address, [...new Set(written.map(({ slot }) => slot))])
  for (const entry of written) entry.lastWriter = writers.get(entry.slot)
  return storage
}

/** A slot is also a path: 0x-hex, or a number. */
const slotPattern = /^(0x[\da-f]{1,64}|\d{1,77})$/i

type FoundLayout = { layout: { contract: string; versionId: string }; parsed: StorageLayout }

/** The layout of the contract itself, or of a proxy's implementation. */
export async function findLayout(
  address: Address,
  { queries, knowledge, library }: Pick<StorageNeeds, 'queries' | 'knowledge' | 'library'>,
): Promise<FoundLayout | undefined> {
  const addresses = [...(await knowledge.loadImplementations(address)), address]
  // Contracts are recognised by their code when they are first asked for.
  for (const each of addresses) await knowledge.loadOwn(each)
  const deployments = (await loadDeployments(queries, { addresses })).reverse()
  const ordered = addresses.flatMap((each) => deployments.filter((deployment) => deployment.address === each))
  for (const { versionId, contractId } of ordered) {
    const parsed = await library.loadStorageLayout(versionId)
    const [contract] = parsed ? await loadContracts(queries, { id: contractId }) : []
    if (parsed && contract) return { layout: { contract: contract.name, versionId }, parsed }
  }
  return undefined
}

/** The paths of the variables in slots of a contract, if its layout is known. */
export async function loadSlotPaths(
  address: Address,
  slots: readonly Word[],
  needs: Pick<StorageNeeds, 'queries' | 'knowledge' | 'library'>,
): Promise<ReadonlyMap<Word, string[]>> {
  const found = slots.length > 0 ? await findLayout(address, needs) : undefined
  if (!found) return new Map()
  return findSlotPaths(found.parsed, slots, (base, page) => loadMappingKeys(needs.queries, address, base, page))
}

/**
 * The slots of variables with the values that these are to have, and the rest of those slots as it is now. Throws
 * `INVALID_PARAMS`, also if the storage layout is not known.
 */
export async function encodeStorage(
  address: Address,
  variables: ReadonlyMap<string, string>,
  needs: StorageNeeds,
): Promise<Map<Word, bigint>> {
  const refused = (problem: string, cause?: Error) =>
    new NetworkError('INVALID_PARAMS', { field: `variables.${address}`, problem }, { cause })
  const found = await findLayout(address, needs)
  if (!found)
    throw refused(
      'has no known storage layout: import it with its storageLayout (dev_importContracts), or verify its sources',
    )
  const { view } = await needs.history.at('latest')
  try {
    return await encodeVariables(found.parsed, variables, (slots) => loadSlots(view, address, slots))
  } catch (error) {
    if (!(error instanceof StorageQueryError)) throw error
    throw refused(error.message, error)
  }
}

async function storageOf(address: Address, needs: StorageNeeds): Promise<StorageSource> {
  const { queries, history, state, codes, upstreamHead } = needs
  const { view } = await history.at('latest')
  const { origin } = await codes.load(address)
  const follows = state.follows()
  const seq = state.seq()
  const account = (await loadLocalAccounts(queries, [address], seq)).get(address)

  /** Upstream's values; none if it is unreachable. */
  async function loadUpstream(slots: readonly Word[]): Promise<ReadonlyMap<Word, bigint> | undefined> {
    const upstream = origin === 'upstream' && slots.length > 0 ? upstreamHead() : undefined
    try {
      return upstream && (await loadSlots(upstream, address, slots))
    } catch (error) {
      if (isNetworkError(error)) return undefined
      throw error
    }
  }

  return {
    async load(slots) {
      const values = await loadSlots(view, address, slots)
      const local = await loadLocalSlots(queries, address, slots, seq, account?.storageSeq)
      const upstream = await loadUpstream([...local.keys()])
      return new Map(
        slots.map((slot): [Word, SlotState] => {
          const followed = follows.hasSlot(address, slot)
          const isLocal = !followed && (local.has(slot) || account?.storageSeq !== undefined || origin === 'local')
          return [
            slot,
            {
              value: values.get(slot) ?? 0n,
              origin: followed ? 'followed' : isLocal ? 'local' : 'upstream',
              upstreamValue: isLocal ? upstream?.get(slot) : undefined,
            },
          ]
        }),
      )
    },
    loadKeys: (base, page) => loadMappingKeys(queries, address, base, page),
  }
}

/** The local slots, or the one at the path, as 32 bytes. */
async function readSlots(
  address: Address,
  source: StorageSource,
  { path, limit, cursor }: StorageQuery,
  { queries, state }: StorageNeeds,
): Promise<Omit<WorkspaceStorage, 'layout'>> {
  const show = async (slots: readonly Word[]) => {
    const states = await source.load(slots)
    return slots.map((slot) => slotEntry(slot, states.get(slot)))
  }
  if (path !== undefined) {
    if (!slotPattern.test(path))
      throw new NetworkError('INVALID_PARAMS', {
        field: 'path',
        problem:
          'is not a slot. This contract has no known storage layout, so only slots can be read; import it with its storageLayout to read variables',
      })
    const [entry] = await show([wordFromBigint(BigInt(path))])
    return { entry, entries: [], next: undefined }
  }
  if (cursor !== undefined && !/^0x[\da-f]{64}$/.test(cursor)) throw wrongCursor()
  const account = (await loadLocalAccounts(queries, [address], state.seq())).get(address)
  const page = { limit: limit + 1, after: cursor as Word | undefined }
  const slots = await loadLocalSlotPage(queries, address, account?.storageSeq, page)
  const shown = slots.slice(0, limit)
  return { entry: undefined, entries: await show(shown), next: slots.length > limit ? shown.at(-1) : undefined }
}

function slotEntry(slot: Word, state: SlotState | undefined): StorageEntry {
  const { value = 0n, origin = 'upstream', upstreamValue } = state ?? {}
  return {
    path: slot,
    name: slot,
    type: 'bytes32',
    slot,
    offset: 0,
    bytes: 32,
    value: wordFromBigint(value),
    origin,
    upstreamValue: upstreamValue === undefined || upstreamValue === value ? undefined : wordFromBigint(upstreamValue),
    length: undefined,
    parts: undefined,
  }
}
