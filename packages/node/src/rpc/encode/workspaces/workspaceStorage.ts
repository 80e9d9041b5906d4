import { z } from 'zod'
import type { StorageEntry } from '../../../contracts/storageLayout/storageReader.ts'
import type { WorkspaceStorage } from '../../../workspaces/storage.ts'
import { DecimalString, HexWord } from '../../codecs/wire.ts'

/** `parts` contain entries, and a cursor for more of them. */
const Parts = z
  .object({ entries: z.array(z.record(z.string(), z.unknown())), next: z.string().nullable() })
  .meta({ title: 'StorageParts', description: 'entries: StorageEntry[], and next: the cursor of the next page' })

export const StorageEntryObject = z
  .object({
    path: z.string(),
    name: z.string(),
    type: z.string(),
    slot: HexWord,
    /** In bytes from the low end of the slot. */
    offset: z.number(),
    bytes: z.number(),
    /** null for a value with parts. */
    value: z.string().nullable(),
    origin: z.enum(['upstream', 'local', 'followed']),
    /** The live chain's value, if it differs. */
    upstreamValue: z.string().nullable(),
    /** Number of array elements, or bytes of a string. */
    length: DecimalString.nullable(),
    /** The transaction that last wrote its slot here. Null if none did, or several of its block called the contract: `dev_getSlotHistory` tells. */
    lastWriter: HexWord.nullable(),
    parts: Parts.nullable(),
  })
  .meta({ title: 'StorageEntry' })

export const WorkspaceStorageObject = z
  .object({
    layout: z.object({ contract: z.string(), versionId: z.string() }).nullable(),
    entry: StorageEntryObject.nullable(),
    entries: z.array(StorageEntryObject),
    next: z.string().nullable(),
  })
  .meta({ title: 'WorkspaceStorage' })

export function encodeWorkspaceStorage(storage: WorkspaceStorage): z.output<typeof WorkspaceStorageObject> {
  return {
    layout: storage.layout ?? null,
    entry: storage.entry ? encodeStorageEntry(storage.entry) : null,
    entries: storage.entries.map(encodeStorageEntry),
    next: storage.next ?? null,
  }
}

export function encodeStorageEntry(entry: StorageEntry): z.output<typeof StorageEntryObject> {
  const { parts } = entry
  return {
    ...entry,
    value: entry.value ?? null,
    upstreamValue: entry.upstreamValue ?? null,
    length: entry.length?.toString() ?? null,
    lastWriter: entry.lastWriter ?? null,
    parts: parts ? { entries: parts.entries.map(encodeStorageEntry), next: parts.next ?? null } : null,
  }
}
