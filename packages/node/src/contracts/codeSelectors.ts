import { whatsabi } from '@shazow/whatsabi'
import type { Hex, Word } from '@understudy/evm'
import { createBoundedCache } from '../shared/caches.ts'
import { hexFromBytes } from '../shared/hex.ts'

/** What the code of a contract reveals. */
export type CodeSelectors = { functions: Hex[]; events: Word[] }

/** Number of codes whose selectors are cached. */
const cacheLimit = 200

/** The selectors that code branches on, and the topics that it emits. */
export type FindSelectors = (codeHash: Word, code: Uint8Array) => CodeSelectors

/** Finding them takes some ten milliseconds, so recent results are cached. */
export function createSelectorFinder(): FindSelectors {
  const cache = createBoundedCache<Word, CodeSelectors>(cacheLimit)
  return (codeHash, code) => {
    const known = cache.get(codeHash)
    if (known) return known
    const found = codeSelectors(code)
    cache.set(codeHash, found)
    return found
  }
}

/** The selectors of code, without the cache. */
export function codeSelectors(code: Uint8Array): CodeSelectors {
  const items = whatsabi.abiFromBytecode(hexFromBytes(code))
  const found: CodeSelectors = { functions: [], events: [] }
  for (const item of items) {
    if (item.type === 'function') found.functions.push(item.selector as Hex)
    else if (item.type === 'event') found.events.push(item.hash as Word)
  }
  return found
}
