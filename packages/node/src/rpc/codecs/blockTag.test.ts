import { describe, expect, it } from 'vitest'
import { BlockNumberOrTag, BlockTag } from './blockTag.ts'
import { problem } from './problem.ts'

const word = `0x${'ab'.repeat(32)}`

describe('BlockTag', () => {
  it.each([
    ['latest', 'latest'],
    ['pending', 'pending'],
    ['safe', 'safe'],
    ['finalized', 'finalized'],
    ['earliest', 'earliest'],
    ['0x10', { number: 16n }],
    ['0x010', { number: 16n }],
    [16, { number: 16n }],
    [word, { hash: word }],
    [{ blockNumber: '0x10' }, { number: 16n }],
    [{ blockNumber: 'latest' }, 'latest'],
    [{ blockHash: word }, { hash: word }],
    [{ blockHash: word, requireCanonical: true }, { hash: word }],
  ])('%j is understood', (input, tag) => {
    expect(BlockTag.parse(input)).toEqual(tag)
  })

  it.each([
    'newest',
    '',
    '10',
    '0x',
    '0xzz',
    -1,
    1.5,
    `0x1${'0'.repeat(16)}`,
    {},
    { blockNumber: '10' },
    { blockHash: '0x12' },
    { blockHash: word, blockNumber: '0x1' },
    [],
    true,
  ])('is refused: %j', (input) => {
    expect(problem(BlockTag, input)).toMatch(
      /^: expected a block number \(0x-hex\), a block hash, one of "latest", "pending", "safe", "finalized", "earliest", or an object with blockNumber or blockHash, got /,
    )
  })

  it('is no hash where methods for numbers and for hashes are apart', () => {
    expect(problem(BlockNumberOrTag, word)).toMatch(/^: expected a block number \(0x-hex\) or one of "latest", /)
  })
})
