import { z } from 'zod'
import { VariablePath } from '../../codecs/contracts/storageVariable.ts'
import { wholeNumber } from '../../codecs/numbers.ts'
import { optional } from '../../codecs/optional.ts'
import { optionsOf, pageFields } from '../../codecs/page.ts'
import { HexAddress } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { encodeLocalVariables, LocalVariablesObject } from '../../encode/runs/localVariables.ts'
import { exampleStorageEntry } from '../../encode/workspaces/workspaceExamples.ts'
import { encodeStorageEntry, StorageEntryObject } from '../../encode/workspaces/workspaceStorage.ts'

export const debugVariables = defineMethod({
  name: 'dev_debugVariables',
  summary:
    'Reads the variables at the position of a debug session: the local ones of a function, if its contract was imported with the syntax tree of solc, and the state variables, if it was imported with its storageLayout. All of them, or one path such as users[3].name. `level` selects a function of the stack, 0 being the innermost one; `call` the innermost one of an open call.',
  role: 'read',
  params: {
    id: z.string(),
    options: optionsOf({
      call: optional(wholeNumber(0, 1_000_000)),
      level: optional(wholeNumber(0, 199)),
      path: optional(VariablePath),
      ...pageFields,
    }),
  },
  result: z.object({
    /** In scope in the function. With a path, only the one at its end, if it begins at one; a state variable of that name is hidden then. */
    locals: LocalVariablesObject,
    /** False if the contract was imported without a layout, or not at all. */
    isKnown: z.boolean(),
    /** The account whose storage it is. */
    address: HexAddress,
    /** The value at the path; null without a path. */
    entry: StorageEntryObject.nullable(),
    entries: z.array(StorageEntryObject),
    next: z.string().nullable(),
  }),
  fields: {
    id: 'Id of the debug session.',
    call: 'Number of an open call, whose innermost function is read.',
    level: 'Function of the stack: 0 is the innermost one.',
    path: 'One variable, or a part of it, such as `users[3].name`.',
  },
  errors: ['DEBUG_SESSION_NOT_FOUND'],
  example: {
    params: ['k3v0x7p1w9q2m5n8b4c6d7fz', { path: 'balances[0x70997970C51812dc3A010C7d01b50e0d17dc79C8]' }],
    result: {
      locals: { problem: null, entries: [] },
      isKnown: true,
      address: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
      entry: exampleStorageEntry,
      entries: [],
      next: null,
    },
  },
  async handler({ debugger: sessions }, { id, options: { call, level, path, limit, cursor } }) {
    const query = { path, limit, cursor }
    const { locals, entry, entries, next, ...rest } = await sessions.variables(id, { call, level }, query)
    return {
      locals: encodeLocalVariables(locals),
      ...rest,
      entry: entry ? encodeStorageEntry(entry) : null,
      entries: entries.map(encodeStorageEntry),
      next: next ?? null,
    }
  },
})
