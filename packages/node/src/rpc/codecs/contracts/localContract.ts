import { z } from 'zod'
import type { LocalContract as Contract } from '../../../contracts/importedContract.ts'
import { optional } from '../optional.ts'

const LinkReferences = z.record(
  z.string(),
  z.record(z.string(), z.array(z.object({ start: z.int().nonnegative(), length: z.int().positive() }))),
)

/** A compiled contract as build tools have it. What a tool adds beyond these fields is left out. */
export const LocalContract = z
  .object({
    name: z.string().min(1, 'expected a name').max(500, 'expected at most 500 characters'),
    /** The JSON text of the ABI. */
    abi: z.string(),
    bytecode: z.string(),
    creationBytecode: optional(z.string()),
    deployedBytecode: optional(z.string()),
    sourcePath: optional(z.string()),
    source: optional(z.string()),
    storageLayout: optional(z.record(z.string(), z.unknown())),
    bytecodeLinkReferences: optional(LinkReferences),
    deployedBytecodeLinkReferences: optional(LinkReferences),
  })
  .meta({ title: 'LocalContract' }) satisfies z.ZodType<Contract>
