import { z } from 'zod'
import type { SourceLocation } from '../../../traces/runs/runLines.ts'
import type { StackEntry } from '../../../traces/stackTraces.ts'
import { HexAddress } from '../../codecs/wire.ts'

/** The fields of a location in the code that a run ran. */
export const sourceLocationFields = {
  /** Null for code that was not imported with its lines; the same for `line`. */
  file: z.string().nullable(),
  line: z.number().nullable(),
  /** With its contract, which may be inherited, if the line is known. */
  function: z.string().nullable(),
  contract: z.string().nullable(),
  /** The contract whose code ran. */
  address: HexAddress,
}

export const SourceLocationObject = z.object(sourceLocationFields).meta({ title: 'SourceLocation' })

export const encodeSourceLocation = ({ file, line, function: name, contract, address }: SourceLocation) => ({
  file: file ?? null,
  line: line ?? null,
  function: name ?? null,
  contract: contract ?? null,
  address,
})

/** A location where a failure went through. */
export const StackEntryObject = z
  .object({
    ...sourceLocationFields,
    /** Why it failed; null for callers. */
    message: z.string().nullable(),
  })
  .meta({ title: 'StackEntry' })

export const encodeStackEntry = (entry: StackEntry) => ({
  ...encodeSourceLocation(entry),
  message: entry.message ?? null,
})
