import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasMoreItems } from './rlpItems.ts'

type Item = Uint8Array | Item[]

const { item } = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof(
    { depthSize: 'small' },
    fc.uint8Array({ maxLength: 3 }),
    fc.uint8Array({ minLength: 50, maxLength: 300 }),
    fc.array(tie('item'), { maxLength: 40 }),
  ),
}))

const countOf = (item: Item): number =>
  item instanceof Uint8Array ? 1 : item.reduce((sum, each) => sum + countOf(each), 1)

it('counts lists, and all that is in them', () => {
  fc.assert(
    fc.property(item, (item) => {
      const [bytes, count] = [RLP.encode(item as never), countOf(item)]
      expect(hasMoreItems(bytes, count)).toBe(false)
      expect(hasMoreItems(bytes, count - 1)).toBe(true)
    }),
  )
})

it('ends with what is not RLP', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => typeof hasMoreItems(bytes, 10) === 'boolean'))
  expect(hasMoreItems(new Uint8Array([0xbf, 255, 255, 255, 255, 255, 255, 255, 255]), 1)).toBe(false)
})
