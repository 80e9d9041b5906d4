import { whatsabi } from '@shazow/whatsabi'
import type { Hex, Word } from '@understudy/evm'
import { hexFromBytes } from '../shared/hex.ts'

/** What can be told of a contract by its code alone. */
export type CodeSelectors = { functions: Hex[]; events: Word[] }

/** Codes whose selectors are kept. */
const cacheLimit = 200
const cache = new Map<Word, CodeSelectors>()

/** The selectors that code branches on, and the topics that it emits. Takes some ten milliseconds the first time. */
export function codeSelectors(codeHash: Word, code: Uint8Array): CodeSelectors {
  const known = cache.get(codeHash)
  if (known) return known
  const items = whatsabi.abiFromBytecode(hexFromBytes(code))
  const found: CodeSelectors = { functions: [], events: [] }
  for (const item of items) {
    if (item.type === 'function') found.functions.push(item.selector as Hex)
    else if (item.type === 'event') found.events.push(item.hash as Word)
  }
  if (cache.size >= cacheLimit) cache.clear()
  cache.set(codeHash, found)
  return found
}
