import { type CodeTemplate, hashOf, maskedHash } from './codeTemplate.ts'
import { type Hole, lengthWithoutMetadata } from './metadata.ts'

/** Templates with the same length and holes: one hash of a code looks it up among all of them. */
type Group<Key> = {
  length: number
  holes: readonly Hole[]
  prefixLength: number
  /** Prefixes of its templates. Code with another prefix is not hashed. */
  prefixes: Map<string, number>
  byHash: Map<string, Set<Key>>
}

/** Finds the templates that match a code, among thousands, with a few hashes. */
export class TemplateIndex<Key> {
  readonly #groups = new Map<number, Map<string, Group<Key>>>()

  add(key: Key, template: CodeTemplate): void {
    const { length, holes, prefix, prefixLength, hash } = template
    const groups = this.#groups.get(length) ?? new Map<string, Group<Key>>()
    this.#groups.set(length, groups)
    const mask = holes.join(';')
    const group = groups.get(mask) ?? { length, holes, prefixLength, prefixes: new Map(), byHash: new Map() }
    groups.set(mask, group)
    const keys = group.byHash.get(hash) ?? new Set()
    if (keys.has(key)) return
    group.byHash.set(hash, keys.add(key))
    group.prefixes.set(prefix, (group.prefixes.get(prefix) ?? 0) + 1)
  }

  remove(key: Key, { length, holes, prefix, hash }: CodeTemplate): void {
    const groups = this.#groups.get(length)
    const group = groups?.get(holes.join(';'))
    const keys = group?.byHash.get(hash)
    if (!groups || !group || !keys?.delete(key)) return
    const uses = (group.prefixes.get(prefix) ?? 1) - 1
    if (uses === 0) group.prefixes.delete(prefix)
    else group.prefixes.set(prefix, uses)
    if (keys.size === 0) group.byHash.delete(hash)
    if (group.byHash.size === 0) groups.delete(holes.join(';'))
    if (groups.size === 0) this.#groups.delete(length)
  }

  /** For deployed code: the template is all of it, except metadata. */
  matchWhole(code: Uint8Array): Key[] {
    return this.#match(code, lengthWithoutMetadata(code), prefixHashes(code))
  }

  /** For creation input: the template is a prefix, followed by constructor arguments. Longest first. */
  matchStart(input: Uint8Array): { key: Key; length: number }[] {
    const hashes = prefixHashes(input)
    return [...this.#groups.keys()]
      .filter((length) => length <= input.length)
      .sort((a, b) => b - a)
      .flatMap((length) => this.#match(input, length, hashes).map((key) => ({ key, length })))
  }

  #match(code: Uint8Array, length: number, prefixHash: (length: number) => string): Key[] {
    const found: Key[] = []
    for (const group of this.#groups.get(length)?.values() ?? []) {
      if (!group.prefixes.has(prefixHash(group.prefixLength))) continue
      for (const key of group.byHash.get(maskedHash(code, length, group.holes)) ?? []) found.push(key)
    }
    return found
  }
}

/** Hashes of prefixes of one code, each computed once. */
function prefixHashes(code: Uint8Array): (length: number) => string {
  const known = new Map<number, string>()
  return (length) => {
    const hash = known.get(length) ?? hashOf(code.subarray(0, length))
    known.set(length, hash)
    return hash
  }
}
