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
  slot: bigint /** Bytes from the low end. */
  offset: number
  type: string
}

/** solc's storage layout of a contract; without transient and namespaced storage. */
export type StorageLayout = { variables: StorageVariable[]; types: ReadonlyMap<string, StorageType> }

const Variable = z
  .object({ label: z.string(), slot: z.string().regex(/^\d{1,78}$/), offset: z.int().min(0).max(31), type: z.string() })
  .transform(({ slot, ...rest }): StorageVariable => ({ ...rest, slot: BigInt(slot) }))
const Type = z.object({
  encoding: z.enum(['inplace', 'mapping', 'dynamic_array', 'bytes']),
  label: z.string(),
  numberOfBytes: z.string().regex(/^\d+$/).transform(Number),
  base: z.string().optional(),
  key: z.string().optional(),
  value: z.string().optional(),
  members: z.array(Variable).optional(),
})
const Layout = z.object({ storage: z.array(Variable), types: z.record(z.string(), Type).nullish() })

/** Parses the compiler's output; `undefined` if it is invalid, or refers to types that it does not describe. */
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
  return named.every((type) => type === undefined || types.has(type)) ? { variables: data.storage, types } : undefined
}

/** The length of a fixed array; `undefined` for other types. */
export function fixedLength({ encoding, base, label }: StorageType): bigint | undefined {
  const [, digits] = /\[(\d+)\]$/.exec(label) ?? []
  return encoding === 'inplace' && base !== undefined && digits !== undefined ? BigInt(digits) : undefined
}
