import { z } from 'zod'
import { optional } from '../../codecs/optional.ts'
import { optionsOf, pageFields } from '../../codecs/page.ts'
import { wholeNumber } from '../../codecs/wholeNumber.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeStorageEntry, StorageEntryObject } from '../../encode/workspaces/workspaceStorage.ts'
import { exampleStorageEntry } from '../../workspaceExamples.ts'

export const debugVariables = defineMethod({
  name: 'dev_debugVariables',
  summary:
    'Reads the state variables at the position of a debug session, with the storageLayout of the imported contract that runs: all of them, or one path such as users[3].name. `call` selects another open call of the stack.',
  role: 'read',
  params: {
    id: z.string(),
    options: optionsOf({ call: optional(wholeNumber(0, 1_000_000)), path: optional(z.string()), ...pageFields }),
  },
  result: z.object({
    /** False if the contract was imported without a layout, or not at all. */
    isKnown: z.boolean(),
    /** The account whose storage it is. */
    address: HexAddress,
    /** The value at the path; null without a path. */
    entry: StorageEntryObject.nullable(),
    entries: z.array(StorageEntryObject),
    next: z.string().nullable(),
  }),
  example: {
    params: ['k3v0x7p1w9q2m5n8b4c6d7fz', { path: 'balances[0x70997970C51812dc3A010C7d01b50e0d17dc79C8]' }],
    result: {
      isKnown: true,
      address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
      entry: exampleStorageEntry,
      entries: [],
      next: null,
    },
  },
  async handler({ debugger: sessions }, { id, options: { call, path, limit, cursor } }) {
    const { entry, entries, next, ...rest } = await sessions.variables(id, call, { path, limit, cursor })
    return {
      ...rest,
      entry: entry ? encodeStorageEntry(entry) : null,
      entries: entries.map(encodeStorageEntry),
      next: next ?? null,
    }
  },
})
