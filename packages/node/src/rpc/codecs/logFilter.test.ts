import { describe, expect, it } from 'vitest'
import { LogFilter } from './logFilter.ts'
import { problem } from './problem.ts'

const address = '0x00000000000000000000000000000000000000aa'
const other = '0x00000000000000000000000000000000000000bb'
const word = `0x${'ab'.repeat(32)}`

describe('LogFilter', () => {
  it.each([
    [{}, { blocks: { from: 'latest', to: 'latest' }, addresses: undefined, topics: [] }],
    [
      { fromBlock: '0x1', toBlock: 'latest', address, topics: null },
      { blocks: { from: { number: 1n }, to: 'latest' }, addresses: [address], topics: [] },
    ],
    [
      { blockHash: word, address: [address, other], topics: [] },
      { blocks: { hash: word }, addresses: [address, other], topics: [] },
    ],
    [
      { address: [], topics: [null, word, [word], [], [word, null]].slice(0, 4) },
      {
        blocks: { from: 'latest', to: 'latest' },
        addresses: undefined,
        topics: [undefined, [word], [word], undefined],
      },
    ],
    [
      { topics: [[word, null]] },
      { blocks: { from: 'latest', to: 'latest' }, addresses: undefined, topics: [undefined] },
    ],
  ])('%j is understood', (input, query) => {
    expect(LogFilter.parse(input)).toEqual(query)
  })

  it.each([
    [{ address: '0x12' }, '.address: expected a 20-byte 0x-hex address, got "0x12"'],
    [{ address: [address, 5] }, '.address[1]: expected a 20-byte 0x-hex address, got 5'],
    [{ topics: [word, '0x1'] }, '.topics[1]: expected a 32-byte 0x-hex hash, got "0x1"'],
    [{ topics: [[word, '0x1']] }, '.topics[0][1]: expected a 32-byte 0x-hex hash, got "0x1"'],
    [{ topics: [null, null, null, null, null] }, '.topics: has more than the 4 topics that a log can have'],
    [{ topics: word }, `.topics: expected an array, got "${word}"`],
    [
      { fromBlock: 'first' },
      '.fromBlock: expected a block number (0x-hex) or one of "latest", "pending", "safe", "finalized", "earliest", got "first"',
    ],
    [{ blockHash: word, toBlock: '0x1' }, '.blockHash: conflicts with fromBlock or toBlock; pass one of them'],
  ])('is refused: %j', (input, text) => {
    expect(problem(LogFilter, input)).toBe(text)
  })
})
