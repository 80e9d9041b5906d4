import { z } from 'zod'

/** A type in solc's `storageLayout` output. */
export type StorageType = {
  encoding: 'inplace' | 'mapping' | 'dynamic_array' | 'bytes'
  /** In Solidity's notation. */
  label: string
  numberOfBytes: number
  /** The element type of an array. */
  base?: string | undefined
  /** The key type of a mapping. */
  key?: string | undefined
  value?: string | undefined
  /** The members of a struct. */
  members?: StorageVariable[] | undefined
}

/** A state variable, or a struct member, whose `slot` is relative to the struct. */
export type StorageVariable = {
  label: string
  slot: bigint
  /** Bytes from the low end. */
  offset: number
  type: string
}

/** solc's storage layout of a contract; without transient and namespaced storage. */
export type StorageLayout = { variables: StorageVariable[]; types: ReadonlyMap<string, StorageType> }

/** Names are as long as a source has them: they are repeated in the paths of all their parts. */
const Label = z.string().max(1000)
const Variable = z
  .object({ label: Label, slot: z.string().regex(/^\d{1,78}$/), offset: z.int().min(0).max(31), type: z.string() })
  .transform(({ slot, ...rest }): StorageVariable => ({ ...rest, slot: BigInt.asUintN(256, BigInt(slot)) }))
const Type = z
  .object({
    encoding: z.enum(['inplace', 'mapping', 'dynamic_array', 'bytes']),
    label: Label,
    numberOfBytes: z
      .string()
      .regex(/^\d{1,80}$/)
      .transform(Number),
    base: z.string().optional(),
    key: z.string().optional(),
    value: z.string().optional(),
    members: z.array(Variable).optional(),
  })
  .refine((type) => type.numberOfBytes > 0 && (type.numberOfBytes <= 32 || hasInplaceParts(type)))
const Layout = z.object({ storage: z.array(Variable), types: z.record(z.string(), Type).nullish() })

/**
 * Parses the compiler's output; `undefined` if it is invalid, refers to types that it does not describe, or has a type that
 * contains itself.
 */
export function parseStorageLayout(output: unknown): StorageLayout | undefined {
  const { success, data } = Layout.safeParse(output)
  if (!success) return undefined
  const types = new Map<string, StorageType>(Object.entries(data.types ?? {}))
  const named = [
    ...data.storage.map(({ type }) => type),
    ...[...types.values()].flatMap(({ base, key, value, members = [] }) => [
      base,
      key,
      value,
      ...members.map(({ type }) => type),
    ]),
  ]
  if (!named.every((type) => type === undefined || types.has(type)) || hasCycle(types)) return undefined
  return { variables: data.storage, types }
}

/** Number of its types, variables and members. */
export function sizeOfLayout({ types, variables }: StorageLayout): number {
  let size = types.size + variables.length
  for (const { members = [] } of types.values()) size += members.length
  return size
}

type Parts = Pick<StorageType, 'encoding'> & { base?: string | undefined; members?: StorageVariable[] | undefined }

const hasInplaceParts = ({ encoding, base, members }: Parts) =>
  encoding === 'inplace' && (base !== undefined || members !== undefined)

/** Whether a type is a part of itself in its own slots: mappings and dynamic arrays may be of their own type. */
function hasCycle(types: ReadonlyMap<string, StorageType>): boolean {
  const done = new Set<string>()
  for (const first of types.keys()) {
    // A stack of its own: types may be nested a thousand deep.
    const path: { id: string; parts: string[] }[] = []
    const inPath = new Set<string>()
    const enter = (id: string) => {
      const type = types.get(id)
      const parts = type && hasInplaceParts(type) ? [type.base, ...(type.members ?? []).map((each) => each.type)] : []
      path.push({ id, parts: parts.filter((part) => part !== undefined) })
      inPath.add(id)
    }
    if (!done.has(first)) enter(first)
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const next = at.parts.pop()
      if (next === undefined) {
        path.pop()
        inPath.delete(at.id)
        done.add(at.id)
      } else if (inPath.has(next)) return true
      else if (!done.has(next)) enter(next)
    }
  }
  return false
}

/** The length of a fixed array; `undefined` for other types. */
export function fixedLength({ encoding, base, label }: StorageType): bigint | undefined {
  const [, digits] = /\[(\d{1,78})\]$/.exec(label) ?? []
  return encoding === 'inplace' && base !== undefined && digits !== undefined ? BigInt(digits) : undefined
}
