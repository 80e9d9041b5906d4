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

const Name = z.string().max(300)
const Position = z.int().min(-1).max(20_000)

const VariableType = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('value'),
    label: Name,
    as: z.string().regex(/^(u?int\d{1,3}|bool|address|bytes\d{1,2})$/),
    count: optional(z.int().nonnegative()),
  }),
  z.object({ kind: z.literal('text'), label: z.enum(['bytes', 'string']) }),
  z.object({ kind: z.literal('array'), label: Name, item: Position, length: optional(z.int().nonnegative()) }),
  z.object({
    kind: z.literal('struct'),
    label: Name,
    members: z.array(z.object({ name: Name, type: Position })).max(10_000),
  }),
  z.object({ kind: z.literal('other'), label: Name, words: z.int().min(1).max(2) }),
])

/**
 * The local variables of its functions: each lies on the stack above the one at `parent`, which is before it in the list.
 * Those of a modifier, or of an inherited constructor, lie above the variables that `uses` names.
 */
const Locals = z
  .object({
    code: z.enum(['plain', 'optimized', 'yul']),
    variables: z
      .array(
        z.object({
          parent: Position,
          role: z.enum(['function', 'argument', 'return', 'local', 'hidden']),
          name: Name,
          type: Position,
          location: z.enum(['stack', 'memory', 'calldata', 'storage']),
          isFixed: optional(z.boolean()),
        }),
      )
      .max(20_000)
      .refine((list) => list.every(({ parent }, at) => parent < at), 'each parent must be before its variable'),
    types: z.array(VariableType).max(5000),
    uses: optional(z.array(z.tuple([Position, Position])).max(20_000)),
    lowestConstructor: optional(Position),
    fallback: optional(Position),
    receive: optional(Position),
  })
  .meta({ title: 'VariableTable' })

/** For each function that can be called: its position and that of its file in the lists, and its line. */
const Called = z
  .record(
    z.string().regex(/^(0x[0-9a-f]{8}|constructor|fallback|receive)$/),
    z.tuple([z.int().nonnegative(), z.int().nonnegative(), z.int().positive()]),
  )
  .refine((called) => Object.keys(called).length <= 10_000, 'expected at most 10000 functions')

/** Where its instructions come from in its sources, for stack traces, coverage and the debugger; `understudy push` makes it of source maps. */
const Lines = z
  .object({
    files: Names(5000),
    functions: Names(50_000),
    starts: optional(z.array(z.tuple([z.int().nonnegative(), z.int().positive()]).nullable()).max(50_000)),
    called: optional(Called),
    conditions: optional(z.array(z.int().nonnegative()).max(50_000)),
    runtime: z.string().max(textLimit),
    creation: optional(z.string().max(textLimit)),
    locals: optional(Locals),
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

/** A function ABI in any accepted form. It is validated where it is used. */
export const FunctionAbi = z
  .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())], {
    error: 'expected a JSON ABI fragment (a string or an object) or a human-readable function signature',
  })
  .meta({ title: 'FunctionAbi' })
