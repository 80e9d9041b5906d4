import { z } from 'zod'
import type { TagsByAddress } from '../../../contracts/accountTags.ts'
import { HexAddress } from '../../codecs/wire.ts'

export const TaggedAccountObject = z
  .object({ address: HexAddress, tags: z.array(z.string()) })
  .meta({ title: 'TaggedAccount' })

export const exampleTaggedAccount = {
  address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  tags: ['treasury'],
} as const

export const encodeTags = (all: TagsByAddress): z.output<typeof TaggedAccountObject>[] =>
  [...all].map(([address, tags]) => ({ address, tags: [...tags] }))
