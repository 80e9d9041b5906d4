import { expect, it } from 'vitest'
import { type Forecast, forecastAsMarkdown, forecastParts, mergeForecasts, verdictOf } from './forecasts.ts'

const address = `0x${'aa'.repeat(20)}` as const
const transaction = `0x${'11'.repeat(32)}` as const
const counts = { transactions: 1, fails: 1, needsGas: 0, costsMore: 0, logsDiffer: 0 }
const location = { file: 'src/A.sol', line: 3, function: 'A.pay', contract: 'A', address }
const finding = {
  effect: 'fails',
  cause: 'fixed gas',
  reason: 'out of gas',
  gas: '5000',
  location,
  transactions: 1,
  transaction,
} as const

const forecastOf = (changes: Partial<Forecast> = {}, name = 'pay()', contract = 'A'): Forecast => ({
  hardfork: 'amsterdam',
  fromBlock: 5,
  toBlock: 8,
  blocks: 4,
  ...counts,
  transferLogs: 0,
  passed: [{ type: '0x6', transactions: 2 }],
  refused: 0,
  stopped: null,
  functions: [
    {
      address,
      contract,
      function: name,
      ...counts,
      gasUsed: '100',
      forecastGasUsed: '120',
      findings: [{ ...finding }],
    },
  ],
  entries: [],
  ...changes,
})

it('divides a range and its sample into parts without gaps, the newest first', () => {
  expect(forecastParts({ from: 1, to: 10 }, 100)).toEqual([
    { fromBlock: 6, toBlock: 10, blocks: 5 },
    { fromBlock: 1, toBlock: 5, blocks: 5 },
  ])
  for (const [from, to, sample] of [
    [1, 50_400, 100],
    [7, 7, 1],
    [1, 21_000_000, 9],
    [3, 20, 17],
  ] as const) {
    const parts = forecastParts({ from, to }, sample)
    expect(parts[0]?.toBlock).toBe(to)
    expect(parts.at(-1)?.fromBlock).toBe(from)
    for (const [index, part] of parts.slice(1).entries()) expect(part.toBlock + 1).toBe(parts[index]?.fromBlock)
    expect(parts.every((part) => part.blocks >= 1 && part.blocks <= 8)).toBe(true)
    expect(parts.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(Math.min(sample, to - from + 1))
  }
})

it('adds up parts by functions and findings', () => {
  const other = forecastOf({ fromBlock: 1, toBlock: 4, stopped: 'enough' }, 'take()')
  const whole = [forecastOf(), forecastOf({ fromBlock: 9, toBlock: 9, blocks: 1 }), other].reduce(mergeForecasts)
  expect(whole).toMatchObject({ fromBlock: 1, toBlock: 9, blocks: 9, transactions: 3, fails: 3, stopped: 'enough' })
  expect(whole.passed).toEqual([{ type: '0x6', transactions: 6 }])
  expect(whole.functions).toMatchObject([
    { function: 'pay()', transactions: 2, gasUsed: '200', forecastGasUsed: '240', findings: [{ transactions: 2 }] },
    { function: 'take()', transactions: 1, findings: [{ transactions: 1 }] },
  ])
  expect(whole.functions.map(verdictOf)).toEqual(['breaks', 'breaks'])
})

it('writes names and paths of others into Markdown as plain text', () => {
  const hostile = 'A | <script>alert(1)</script>\n# heading `code` [link](javascript:x) \u202e\u001b[2J'
  const text = forecastAsMarkdown(forecastOf({}, hostile, hostile), [address, `0x${'bb'.repeat(20)}`])
  expect(text).not.toContain('<script>')
  expect(text).not.toMatch(/^# heading/m)
  for (const character of ['\u202e', '\u001b']) expect(text).not.toContain(character)
  expect(text).not.toMatch(/(?<!\\)\[link/)
  const rows = text.split('\n').filter((line) => line.startsWith('| A'))
  expect(rows).toHaveLength(1)
  expect(rows[0]?.match(/(?<!\\)\|/g)).toHaveLength(10)
  expect(text).toContain('Not run, because their types cannot run here: 2 of type 0x6.')
  expect(text).toMatch(/## Not called\n\n.*\n\n- 0xbbbb/)
  expect(text).toContain('| may break | 1 | 100.00 % | 0.29 % | 0.33 % |')
})
