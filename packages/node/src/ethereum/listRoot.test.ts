import { createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hexFromBytes } from '../shared/hex.ts'
import { listRoot } from './listRoot.ts'

async function expectRoot(items: readonly Uint8Array[]) {
  const trie = await createMPT()
  for (const [index, item] of items.entries()) await trie.put(RLP.encode(index), item)
  expect(listRoot(items)).toBe(hexFromBytes(trie.root()))
}

it('has the roots that @ethereumjs/mpt computes', async () => {
  const item = fc.uint8Array({ minLength: 1, maxLength: 60 })
  await fc.assert(fc.asyncProperty(fc.array(item, { maxLength: 40 }), expectRoot), { numRuns: 60 })
})

it('has them where the indices grow longer', async () => {
  for (const length of [127, 128, 129, 255, 256, 257, 300])
    await expectRoot(Array.from({ length }, (_, index) => Uint8Array.of(1 + (index % 255), 7)))
})
