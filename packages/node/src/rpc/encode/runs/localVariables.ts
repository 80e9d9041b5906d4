import { z } from 'zod'
import type { LocalVariable } from '../../../traces/debugger/localValues.ts'
import type { LocalVariables } from '../../../traces/debugger/localVariables.ts'
import { DecimalString } from '../../codecs/wire.ts'

/** `parts` contain entries, and a cursor for more of them. */
const Parts = z
  .object({ entries: z.array(z.record(z.string(), z.unknown())), next: z.string().nullable() })
  .meta({ title: 'LocalParts', description: 'entries: LocalVariable[], and next: the cursor of the next page' })

const LocalVariableObject = z
  .object({
    path: z.string(),
    name: z.string(),
    type: z.string(),
    role: z.enum(['argument', 'return', 'local']),
    /** null for a value with parts, and where there is a problem. */
    value: z.string().nullable(),
    /** Number of array elements, or bytes of a text. */
    length: DecimalString.nullable(),
    /** Why the value is not known. */
    problem: z.string().nullable(),
    parts: Parts.nullable(),
  })
  .meta({ title: 'LocalVariable' })

export const LocalVariablesObject = z
  .object({
    /** Why local variables are not known here. Then there are at most the arguments of a call, by its ABI. */
    problem: z.string().nullable(),
    entries: z.array(LocalVariableObject),
  })
  .meta({ title: 'LocalVariables' })

export const encodeLocalVariables = ({ problem, entries }: LocalVariables): z.output<typeof LocalVariablesObject> => ({
  problem: problem ?? null,
  entries: entries.map(encodeLocal),
})

function encodeLocal({ value, length, problem, parts, ...rest }: LocalVariable): z.output<typeof LocalVariableObject> {
  return {
    ...rest,
    value: value ?? null,
    length: length?.toString() ?? null,
    problem: problem ?? null,
    parts: parts ? { entries: parts.entries.map(encodeLocal), next: parts.next ?? null } : null,
  }
}
