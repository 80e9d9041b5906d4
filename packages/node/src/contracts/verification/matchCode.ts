import { type LinkReferences, maskedHash, readUnlinkedCode, runtimeTemplate } from '../matching/codeTemplate.ts'
import { TemplateIndex } from '../matching/templateIndex.ts'
import type { CompiledContract } from './compiler.ts'

/** `exact_match`: the metadata, which commits to the sources, also matches. */
export type MatchKind = 'exact_match' | 'match'

/**
 * How deployed code matches a compiled contract; `undefined` if it does not. Immutables and libraries may have any
 * value.
 */
export function matchCode(code: Uint8Array, { deployed }: CompiledContract): MatchKind | undefined {
  const { object, linkReferences = {}, immutableReferences = {} } = deployed
  const references: LinkReferences = { ...linkReferences, immutables: immutableReferences }
  const unlinked = readUnlinkedCode(object, references)
  if (!unlinked || unlinked.bytes.length === 0) return undefined
  const { bytes, holes } = unlinked
  if (code.length === bytes.length && maskedHash(code, code.length, holes) === maskedHash(bytes, bytes.length, holes))
    return 'exact_match'
  const index = new TemplateIndex<string>()
  index.add('compiled', runtimeTemplate(unlinked))
  return index.matchWhole(code).length > 0 ? 'match' : undefined
}
