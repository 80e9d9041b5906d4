import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { notQuick, quickDecoderOf } from '../../shared/codec.ts'
import { BlockNumberOrTag, BlockTag } from './blockTag.ts'
import { CallRequest } from './calls/callRequest.ts'
import { Address, Hash } from './hex.ts'
import { LogFilter } from './logFilter.ts'
import { Slot } from './numbers.ts'
import { withDefault } from './optional.ts'

const hex = (length: number) => fc.stringMatching(new RegExp(`^0[xX][\\da-fA-F]{${length}}$`))
const address = hex(40)
const hash = hex(64)
const quantity = fc.oneof(hex(1), hex(3), hex(16), hex(65), fc.integer(), fc.double())
const tag = fc.constantFrom('latest', 'pending', 'safe', 'earliest', 'Latest')
const anything = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue() as fc.Arbitrary<unknown> },
  { weight: 3, arbitrary: fc.oneof(address, hash, quantity, tag, fc.constant(null)) },
)
const field = (common: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 30, arbitrary: common }, { weight: 1, arbitrary: anything })
const oneOrMore = (one: fc.Arbitrary<unknown>) => field(fc.oneof(one, fc.array(field(one), { maxLength: 3 })))
const data = fc.oneof(hex(0), hex(8), hex(72))
const small = fc.oneof(hex(1), hex(16), fc.nat())
/** Two of these, at the most: some go together, others do not. */
const rareFields: Record<string, fc.Arbitrary<unknown>> = {
  gas: small,
  gasPrice: small,
  maxFeePerGas: small,
  maxPriorityFeePerGas: small,
  input: data,
  nonce: small,
  chainId: small,
  accessList: fc.constantFrom(null, [], [{ address: `0x${'11'.repeat(20)}`, storageKeys: [] }]),
  unknown: anything,
}
const rare = fc
  .constantFrom(...Object.keys(rareFields))
  .chain((name) => fc.record({ [name]: field(rareFields[name] as fc.Arbitrary<unknown>) }))
const request = fc
  .tuple(
    fc.record(
      { from: field(address), to: field(address), value: field(small), data: field(data) },
      { requiredKeys: [] },
    ),
    fc.array(rare, { maxLength: 2 }),
  )
  .map(([common, others]) => Object.assign({}, common, ...others) as unknown)
const filter = fc.record(
  {
    fromBlock: field(fc.oneof(tag, quantity)),
    toBlock: field(fc.oneof(tag, quantity)),
    blockHash: field(hash),
    address: oneOrMore(address),
    topics: field(fc.array(oneOrMore(hash), { maxLength: 5 })),
  },
  { requiredKeys: [] },
)

const schemas: Record<string, [z.ZodType, fc.Arbitrary<unknown>]> = {
  Address: [Address, field(address)],
  Hash: [Hash, field(hash)],
  Slot: [Slot, field(quantity)],
  BlockNumberOrTag: [BlockNumberOrTag, field(fc.oneof(tag, quantity))],
  BlockTag: [BlockTag, field(fc.oneof(tag, quantity, hash, fc.record({ blockHash: hash })))],
  'BlockTag with a default': [withDefault(BlockTag, 'latest'), field(fc.oneof(tag, quantity))],
  CallRequest: [CallRequest, request],
  LogFilter: [LogFilter, filter],
}

describe('a quick decoder', () => {
  it.each(Object.keys(schemas))('decodes as its schema does, or leaves it to that: %s', (name) => {
    const [schema, arbitrary] = schemas[name] as (typeof schemas)[string]
    const decode = quickDecoderOf(schema)
    let decoded = 0
    fc.assert(
      fc.property(arbitrary, (input) => {
        const value = decode(input)
        if (value === notQuick) return
        decoded++
        expect(schema.safeParse(input)).toEqual({ success: true, data: value })
      }),
      { numRuns: 2000 },
    )
    expect(decoded).toBeGreaterThan(100)
  })
})
