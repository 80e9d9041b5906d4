import { z } from 'zod'

/** A type as solc describes it in its `storageLayout` output. */
export type StorageType = {
  encoding: 'inplace' | 'mapping' | 'dynamic_array' | 'bytes'
  /** As in Solidity. */
  label: string
  numberOfBytes: number
  /** Of the elements of an array. */
  base?: string | undefined
  /** Of a mapping. */
  key?: string | undefined
  value?: string | undefined
  /** Of a struct. */
  members?: StorageVariable[] | undefined
}

/** A state variable, or a member of a struct: then `slot` counts from where the struct begins. */
export type StorageVariable = {
  label: string
  slot: bigint /** Bytes from the low end. */
  offset: number
  type: string
}

/** Where a contract keeps its state, as solc says; transient and namespaced storage is not in it. */
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

/** Reads the compiler's output; `undefined` when it is none, or names types that it does not describe. */
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

/** The elements of a fixed array; `undefined` for every other type. */
export function fixedLength({ encoding, base, label }: StorageType): bigint | undefined {
  const [, digits] = /\[(\d+)\]$/.exec(label) ?? []
  return encoding === 'inplace' && base !== undefined && digits !== undefined ? BigInt(digits) : undefined
}
