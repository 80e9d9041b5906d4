import { expect, test } from 'vitest'
import { errorKind } from '../transport/rpcError.ts'
import { readLogRefusal } from './logRefusal.ts'

const range = { from: 100n, to: 20_099n }

/** Refusals as providers word them, of 20 000 blocks. */
test.each([
  [
    -32600,
    'You can make eth_getLogs requests with up to a 500 block range. This block range should work: [0x64, 0x257]',
    500n,
  ],
  [-32000, 'block range too large (20000), maximum allowed is 2000 blocks', 2000n],
  [-32602, 'range 20000 exceeds limit of 10000', 10_000n],
  [-32614, 'eth_getLogs is limited to a 10,000 range', 10_000n],
  [-32000, 'Limit exceeded: Query requested more than 10.000 blocks', 10_000n],
  [-32000, 'maximum [from, to] blocks distance: 10000', 10_000n],
  [35, 'ranges over 10000 blocks are not supported on freetier', 10_000n],
  [-32602, 'eth_getLogs is limited to 1024 block range. Please check https://docs.blockpi.io/v2/api-reference', 1024n],
  [-32000, 'exceed maximum block range: 5000', 5000n],
  [-32000, 'exceeds the range allowed for your plan (10000 > 500)', 500n],
  [-32000, 'Max range: 800', 800n],
  [-32005, 'Maximum allowed number of requested blocks is 1000', 1000n],
  [-32000, 'eth_getLogs range is too large, max is 1k blocks', 1000n],
  [-32005, 'please limit the query to at most 1000 blocks', 1000n],
  [-32000, 'requested too many blocks from 100 to 20099, maximum is set to 2048', 2048n],
  [-32000, 'block range is larger than max block range, block range = 20000, max block range = 5000', 5000n],
  [-32000, 'requested block range 19999 exceeds the limit of 200', 200n],
  [-32603, 'block range is too wide (maximum 1024)', 1024n],
  [-32000, 'Requested range is over limit of 100', 100n],
])('%d «%s» names %d blocks', (code, message, blocks) => {
  expect(errorKind({ code, message })).toBe('too much')
  expect(readLogRefusal(message, range)).toEqual({ blocks, isNamed: true, isOfResults: false })
})

test.each([
  [-32005, 'query returned more than 10000 results', 10_000n, false, 10_000],
  [-32602, 'query exceeds max results 20000, retry with the range 100-162', 63n, true, 20_000],
  [-32000, 'Query returned more than 10000 results. Try with this block range [0x64, 0x6d].', 10n, true, 10_000],
  [-32602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range', 2000n, true],
  [-32000, 'response size should not greater than 10000000 bytes', 10_000n, false],
  [-32020, 'backend response too large', 10_000n, false],
  [-32008, 'Response is too big', 10_000n, false],
  [-32000, 'logs matched by query exceeds limit of 10000', 10_000n, false, 10_000],
  [-32000, 'query timeout exceeded', 10_000n, false],
])('%d «%s» is about the results: %d blocks', (code, message, blocks, isNamed, rows?: number) => {
  expect(errorKind({ code, message })).toBe('too much')
  expect(readLogRefusal(message, range)).toEqual({ blocks, isNamed, isOfResults: true, rows })
})

test.each([
  'block range is limited to 0',
  'block range is limited to -5 or so',
  'block range is limited to 999999999999999999999999',
  'block range is too wide, try [0xffffffffffffffff, 0x0]',
  'block range is too wide, try [0x64, 0x9999999]',
  'Block range limit exceeded. See https://docs.chainstack.com/docs/limits#evm-range-limits',
  `block range ${'limit '.repeat(20_000)} 7`,
])('«%s» is halved, or smaller', (message) => {
  const { blocks } = readLogRefusal(message, range)
  expect(blocks === 10_000n || blocks === 5n).toBe(true)
  expect(readLogRefusal(message, { from: 7n, to: 8n }).blocks).toBe(1n)
})

test.each([
  [-32000, 'block range extends beyond current head block'],
  [-32019, 'block is out of range'],
  [-32000, 'requested to block 5000 after last accepted block 4999'],
  [-32602, 'invalid block range'],
])('%d «%s» is of a node that is behind', (code, message) => {
  expect(errorKind({ code, message })).toBe('not yet')
})
