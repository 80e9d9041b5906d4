import { createMPT } from '@ethereumjs/mpt'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trieRoot } from './trie.ts'

describe('the trie of the conformance tests', () => {
  it('has the roots that @ethereumjs/mpt computes', async () => {
    const entries = fc.uniqueArray(
      fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 32 }), fc.uint8Array({ minLength: 1, maxLength: 80 })),
      { maxLength: 60, selector: ([key]) => Buffer.from(key).toString('hex') },
    )
    await fc.assert(
      fc.asyncProperty(entries, async (list) => {
        const trie = await createMPT({ useKeyHashing: true })
        for (const [key, value] of list) await trie.put(key, value)
        expect(trieRoot(list)).toEqual(trie.root())
      }),
      { numRuns: 60 },
    )
  })
})
