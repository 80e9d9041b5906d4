import { z } from 'zod'
import type { LocalContract as Contract } from '../../../contracts/importedContract.ts'
import { optional } from '../optional.ts'

const LinkReferences = z.record(
  z.string(),
  z.record(z.string(), z.array(z.object({ start: z.int().nonnegative(), length: z.int().positive() }))),
)

/** Where its instructions come from in its sources, for stack traces; `understudy push` makes it of source maps. */
const Lines = z
  .object({
    files: z.array(z.string().max(1000)).max(5000),
    functions: z.array(z.string().max(1000)).max(50_000),
    runtime: z.string().max(4_000_000),
    creation: optional(z.string().max(4_000_000)),
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
    sourcePath: optional(z.string()),
    source: optional(z.string()),
    lines: optional(Lines),
    storageLayout: optional(z.record(z.string(), z.unknown())),
    bytecodeLinkReferences: optional(LinkReferences),
    deployedBytecodeLinkReferences: optional(LinkReferences),
  })
  .meta({ title: 'LocalContract' }) satisfies z.ZodType<Contract>
