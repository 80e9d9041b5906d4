import type { Address as AddressHex, Word } from '@understudy/evm'
import { z } from 'zod'
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

export const LogFilter = z
  .object({
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
