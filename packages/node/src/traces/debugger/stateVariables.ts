import { type Address, type CallFrame, isCreation, type TracedRun, type Word } from '@understudy/evm'
import type { ContractLibrary } from '../../contracts/contractLibrary.ts'
import type { StorageLayout } from '../../contracts/storageLayout/layout.ts'
import type { StorageSource } from '../../contracts/storageLayout/slots.ts'
import { StorageQueryError } from '../../contracts/storageLayout/storageItem.ts'
import { readStorage, type StorageEntry, type StorageQuery } from '../../contracts/storageLayout/storageReader.ts'
import { NetworkError } from '../../shared/errors.ts'
import { type LoadingView, loadSlots } from '../../state/view.ts'
import type { Database } from '../../storage/database.ts'
import { loadMappingKeys } from '../../storage/records/activity/mappingKeys.ts'
import { codesOf } from '../runs/runLines.ts'
import { storageOf } from './position.ts'
import type { RunIndex } from './runIndex.ts'

/** Without a layout, there is nothing: `isKnown` is false. */
export type StateVariables = {
  isKnown: boolean
  /** The account whose storage it is. */
  address: Address
  /** The value at the path; `undefined` without a path. */
  entry: StorageEntry | undefined
  entries: StorageEntry[]
  next: string | undefined
}

export type VariableNeeds = {
  database: Pick<Database, 'queries'>
  library: Pick<ContractLibrary, 'match' | 'loadStorageLayout'>
}

/** The storage that a call uses, as it is before an operation; `layout`: of the code that it runs, if it was imported with one. */
export type CallStorage = { address: Address; layout: StorageLayout | undefined; source: StorageSource }

export async function openStorage(
  run: TracedRun,
  index: RunIndex,
  { step, call }: { step: number; call: number },
  { database: { queries }, library }: VariableNeeds,
): Promise<CallStorage> {
  const address = storageOf(index, call)
  const layout = await loadLayout(run, index.frames[call] as CallFrame, library)
  const written = new Map<bigint, bigint>()
  for (const write of index.writesBefore(step)) if (write.address === address) written.set(write.slot, write.value)
  const source: StorageSource = {
    async load(slots) {
      const before = await loadSlots(run.view as LoadingView, address, slots)
      return new Map(
        slots.map((slot: Word) => {
          const own = written.get(BigInt(slot))
          const origin = own === undefined ? 'upstream' : 'local'
          return [slot, { value: own ?? before.get(slot) ?? 0n, origin, upstreamValue: undefined }]
        }),
      )
    },
    loadKeys: (base, page) => loadMappingKeys(queries, address, base, page),
  }
  return { address, layout, source }
}

/** Reads the state variables of a call; without a query, none. Throws `INVALID_PARAMS`. */
export async function readStateVariables(
  { address, layout, source }: CallStorage,
  query: StorageQuery | undefined,
): Promise<StateVariables> {
  if (!layout || !query)
    return { isKnown: layout !== undefined, address, entry: undefined, entries: [], next: undefined }
  try {
    return { isKnown: true, address, ...(await readStorage(layout, source, query)) }
  } catch (error) {
    if (!(error instanceof StorageQueryError)) throw error
    const field = query.path === undefined ? 'cursor' : 'path'
    throw new NetworkError('INVALID_PARAMS', { field, problem: error.message }, { cause: error })
  }
}

/** The layout of the code that a call ran, if it was imported with one. */
async function loadLayout(
  { view, result }: TracedRun,
  frame: CallFrame,
  library: VariableNeeds['library'],
): Promise<StorageLayout | undefined> {
  const matches = isCreation(frame)
    ? await library.match(new Uint8Array(), frame.input)
    : await library.match(await codesOf(view, result.frames)(frame.to))
  for (const { versionId } of matches) {
    const layout = await library.loadStorageLayout(versionId)
    if (layout) return layout
  }
  return undefined
}
