import type { Word } from '@understudy/evm'
import { codec } from '../../shared/codec.ts'
import type { BlockTag as Tag } from '../../state/blockTag.ts'
import { isWord } from './hex.ts'

const names = ['latest', 'pending', 'safe', 'finalized', 'earliest'] as const
const namedBlocks = names.map((name) => `"${name}"`).join(', ')

/** A block by number or tag, for methods that have a separate variant for hashes. */
export const BlockNumberOrTag = codec<string | number, Tag>(
  `a block number (0x-hex) or one of ${namedBlocks}`,
  numberOrName,
  { title: 'BlockNumberOrTag', type: ['string', 'integer'] },
)

/** Any block whose state can be read: by number, tag, hash, or object (EIP-1898). */
export const BlockTag = codec<
  string | number | { blockNumber: string | number } | { blockHash: string; requireCanonical?: boolean },
  Tag
>(
  `a block number (0x-hex), a block hash, one of ${namedBlocks}, or an object with blockNumber or blockHash`,
  (input) => {
    if (typeof input !== 'object' || input === null) return hashOf(input) ?? numberOrName(input)
    const { blockHash, blockNumber, requireCanonical: _, ...others } = input as Record<string, unknown>
    for (const _other in others) return undefined
    if (blockHash !== undefined) return blockNumber === undefined ? hashOf(blockHash) : undefined
    return numberOrName(blockNumber)
  },
  { title: 'BlockTag', type: ['string', 'integer', 'object'] },
)

function hashOf(input: unknown): Tag | undefined {
  return isWord(input) ? { hash: input.toLowerCase() as Word } : undefined
}

function numberOrName(input: unknown): Tag | undefined {
  if (typeof input === 'number')
    return Number.isSafeInteger(input) && input >= 0 ? { number: BigInt(input) } : undefined
  if (typeof input !== 'string') return undefined
  if (/^0x[\da-f]{1,16}$/i.test(input)) return { number: BigInt(input) }
  return (names as readonly string[]).includes(input) ? (input as Tag) : undefined
}
