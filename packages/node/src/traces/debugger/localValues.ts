import type { Part, Pointer, ValueReader } from '../../contracts/locals/values.ts'
import { NotAValueError } from '../../contracts/locals/words.ts'
import type { StorageLayout } from '../../contracts/storageLayout/layout.ts'
import type { PathStep } from '../../contracts/storageLayout/path.ts'
import { readStorage, type StorageEntry, type StorageQuery } from '../../contracts/storageLayout/storageReader.ts'
import type { CallStorage } from './stateVariables.ts'

/** A local variable, or a part of one. */
export type LocalVariable = {
  path: string
  name: string
  /** In Solidity's notation. */
  type: string
  role: 'argument' | 'return' | 'local'
  /** `undefined` for values with parts, and where there is a problem. Texts of more than 1024 bytes are truncated. */
  value: string | undefined
  /** Number of array elements, or bytes of a text. */
  length: bigint | undefined
  /** Why the value is not known, as a text for people. */
  problem: string | undefined
  parts: { entries: LocalVariable[]; next: string | undefined } | undefined
}

/** The parts that are read of a value. */
export type PageOfParts = Omit<StorageQuery, 'path'>

/** Parts of a part, entries of an answer, and parts within parts. */
const innerLimit = 10
const entryLimit = 2000
const depthLimit = 16

type Named = Pick<LocalVariable, 'path' | 'name' | 'role'>

/** Shows a value and its parts. */
export class LocalValues {
  readonly #reader: ValueReader
  #left = entryLimit

  constructor(reader: ValueReader) {
    this.#reader = reader
  }

  /** The value at the end of a path that begins at a variable. Throws `StorageQueryError` if there is none, and `NotAValueError`. */
  at(named: Named, type: number, pointer: Pointer, steps: readonly PathStep[], page: PageOfParts): LocalVariable {
    let found: Part & Named = { ...named, type, pointer }
    for (const step of steps) {
      const part = this.#reader.partAt(found.path, found.type, found.pointer, step)
      found = { ...part, role: named.role, path: pathOf(found.path, part.name) }
    }
    return this.#show(found, found.type, found.pointer, page, 0)
  }

  #show(
    named: Named,
    number: number,
    pointer: Pointer,
    { limit, cursor = '' }: PageOfParts,
    depth: number,
  ): LocalVariable {
    this.#left--
    const { path, name, role } = named
    const nothing = { value: undefined, length: undefined, problem: undefined, parts: undefined }
    const type = this.#reader.type(number).label.replace(/^(struct|enum|contract) /, '')
    const variable: LocalVariable = { path, name, type, role, ...nothing }
    try {
      const from = /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0
      const wanted = depth > depthLimit ? 0 : Math.min(limit, Math.max(0, this.#left))
      const { value, length, parts, next } = this.#reader.show(number, pointer, from, wanted)
      const entries = parts?.map((part) =>
        this.#show(
          { path: pathOf(path, part.name), name: part.name, role },
          part.type,
          part.pointer,
          { limit: innerLimit, cursor: undefined },
          depth + 1,
        ),
      )
      return { ...variable, value, length, parts: entries && { entries, next: next?.toString() } }
    } catch (error) {
      return { ...variable, problem: problemOf(error) }
    }
  }
}

/** The text of a value that is not known; other errors are thrown. */
export function problemOf(error: unknown): string {
  if (!(error instanceof NotAValueError)) throw error
  return error.message
}

const pathOf = (path: string, name: string) => (name.startsWith('[') ? path + name : `${path}.${name}`)

/** Reads what a pointer to storage points to. Throws `StorageQueryError` where the path leads nowhere. */
export async function readPointer(
  { name, role }: Named,
  label: string,
  slot: bigint,
  { layout, source }: CallStorage,
  query: StorageQuery,
): Promise<LocalVariable> {
  const type = layout && typeWith(layout, label)
  if (!type) throw new NotAValueError('not known: the storage layout does not have its type')
  const pointed: StorageLayout = { ...layout, variables: [{ label: name, slot, offset: 0, type }] }
  const { entry, entries, next } = await readStorage(pointed, source, { ...query, path: query.path ?? name })
  if (!entry) throw new NotAValueError('not known: it was not found in storage')
  const parts = entry.value === undefined ? { entries, next } : undefined
  return localOf({ ...entry, parts }, role)
}

/** The only type with a label. */
function typeWith({ types }: StorageLayout, label: string): string | undefined {
  const [first, second] = [...types].filter(([, type]) => type.label === label)
  return second === undefined ? first?.[0] : undefined
}

function localOf({ path, name, type, value, length, parts }: StorageEntry, role: LocalVariable['role']): LocalVariable {
  return {
    path,
    name,
    type,
    role,
    value,
    length,
    problem: undefined,
    parts: parts && { entries: parts.entries.map((part) => localOf(part, role)), next: parts.next },
  }
}
