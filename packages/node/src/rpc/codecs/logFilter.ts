import type { Address as AddressHex, Word } from '@understudy/evm'
import { z } from 'zod'
import { notQuick, quickDecoderOf, withQuickDecoder } from '../../shared/codec.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import { BlockNumberOrTag } from './blockTag.ts'
import { Address, Hash } from './hex.ts'
import { optional } from './optional.ts'

/** The input of eth_getLogs: a range of blocks or one block, and conditions on the logs. */
export type LogQuery = {
  blocks: { hash: Word } | { from: BlockTag; to: BlockTag }
  addresses: AddressHex[] | undefined
  topics: (Word[] | undefined)[]
}

/** Maximum number of addresses, and of alternatives for one topic, as in geth. */
const alternativeLimit = 1_000

/** One or several; `null` and an empty list match anything. */
function oneOrMore<Value>(schema: z.ZodType<Value, string>, nouns: string): z.ZodType<Value[] | undefined, unknown> {
  return z.unknown().transform((input, context) => {
    if (input === null || input === undefined || (Array.isArray(input) && input.length === 0)) return undefined
    if (Array.isArray(input) && input.length > alternativeLimit) {
      const message = `has ${input.length} ${nouns}; the maximum is ${alternativeLimit}`
      context.issues.push({ code: 'custom', input, message })
      return z.NEVER
    }
    const result = z.array(schema).safeParse(Array.isArray(input) ? input : [input])
    if (result.success) return result.data
    for (const issue of result.error.issues)
      context.issues.push({
        code: 'custom',
        input,
        message: issue.message,
        path: Array.isArray(input) ? issue.path : [],
      })
    return z.NEVER
  })
}

/** One position of `topics`. A `null` among alternatives matches anything, as in geth. */
const TopicAlternatives = z
  .unknown()
  .transform((input) => (Array.isArray(input) && input.includes(null) ? null : input))
  .pipe(oneOrMore(Hash, 'topics'))

const Schema = z
  .strictObject({
    fromBlock: optional(BlockNumberOrTag),
    toBlock: optional(BlockNumberOrTag),
    blockHash: optional(Hash),
    address: optional(oneOrMore(Address, 'addresses')),
    topics: optional(z.array(TopicAlternatives).max(4, { error: 'has more than the 4 topics that a log can have' })),
  })
  .check(({ value, issues }) => {
    if (value.blockHash && (value.fromBlock || value.toBlock))
      issues.push({
        code: 'custom',
        input: value,
        path: ['blockHash'],
        message: 'conflicts with fromBlock or toBlock; pass one of them',
      })
  })
  .transform(
    ({ fromBlock, toBlock, blockHash, address, topics }): LogQuery => ({
      blocks: blockHash ? { hash: blockHash } : { from: fromBlock ?? 'latest', to: toBlock ?? 'latest' },
      addresses: address,
      topics: topics ?? [],
    }),
  )
  .meta({
    title: 'LogFilter',
    description:
      'an object with fromBlock and toBlock (both default to the latest block) or blockHash, address (one or several) and topics (by position: one, several, or null for any)',
  })

const known = new Set(['fromBlock', 'toBlock', 'blockHash', 'address', 'topics'])
const decodeBlock = quickDecoderOf(BlockNumberOrTag)
const decodeHash = quickDecoderOf(Hash)
const decodeAddress = quickDecoderOf(Address)

/** One or several; `undefined` matches any. */
function decodeOneOrMore<Value>(input: unknown, decode: (one: unknown) => Value | typeof notQuick) {
  if (input === null || input === undefined) return undefined
  const values: Value[] = []
  const given: unknown[] = Array.isArray(input) ? input : [input]
  if (given.length > alternativeLimit) return notQuick
  for (const one of given) {
    const value = decode(one)
    if (value === notQuick) return notQuick
    values.push(value)
  }
  return values.length === 0 ? undefined : values
}

export const LogFilter = withQuickDecoder(Schema, (given): LogQuery | typeof notQuick => {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return notQuick
  for (const name in given) if (!known.has(name)) return notQuick
  const { fromBlock, toBlock, blockHash, address, topics } = given as Record<string, unknown>
  // By hash, and topics with gaps among their alternatives, are the schema's.
  if (blockHash != null || (topics != null && !Array.isArray(topics))) return notQuick
  const from = fromBlock == null ? 'latest' : decodeBlock(fromBlock)
  const to = toBlock == null ? 'latest' : decodeBlock(toBlock)
  const addresses = decodeOneOrMore(address, decodeAddress)
  if (from === notQuick || to === notQuick || addresses === notQuick) return notQuick
  const words: (Word[] | undefined)[] = []
  if (topics != null && topics.length > 4) return notQuick
  for (const topic of topics ?? []) {
    const alternatives = decodeOneOrMore(topic, decodeHash)
    if (alternatives === notQuick) return notQuick
    words.push(alternatives)
  }
  return { blocks: { from, to }, addresses, topics: words }
})
