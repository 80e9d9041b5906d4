import { z } from 'zod'
import type { LocalContract as Contract } from '../../../contracts/importedContract.ts'
import { optional } from '../optional.ts'

const LinkReferences = z.record(
  z.string(),
  z.record(z.string(), z.array(z.object({ start: z.int().nonnegative(), length: z.int().positive() }))),
)

/** Maximum number of characters of a map, and of a list of names. */
const textLimit = 4_000_000
const nameLimit = 1000

const Names = (limit: number) =>
  z
    .array(z.string().max(nameLimit))
    .max(limit)
    .refine((names) => names.reduce((sum, { length }) => sum + length, 0) <= textLimit, {
      error: `expected at most ${textLimit} characters`,
    })

/** Where its instructions come from in its sources, for stack traces; `understudy push` makes it of source maps. */
const Lines = z
  .object({
    files: Names(5000),
    functions: Names(50_000),
    runtime: z.string().max(textLimit),
    creation: optional(z.string().max(textLimit)),
  })
  .meta({ title: 'LineTable' })

/** A compiled contract from a build tool. Unknown fields are dropped. */
export const LocalContract = z
  .object({
    name: z.string().min(1, 'expected a name').max(500, 'expected at most 500 characters'),
    /** The ABI as a JSON string. */
    abi: z.string(),
    bytecode: z.string(),
    creationBytecode: optional(z.string()),
    deployedBytecode: optional(z.string()),
    sourcePath: optional(z.string().max(nameLimit)),
    source: optional(z.string()),
    lines: optional(Lines),
    storageLayout: optional(z.record(z.string(), z.unknown())),
    bytecodeLinkReferences: optional(LinkReferences),
    deployedBytecodeLinkReferences: optional(LinkReferences),
  })
  .meta({ title: 'LocalContract' }) satisfies z.ZodType<Contract>
