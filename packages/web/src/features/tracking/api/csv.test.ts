import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

type Loaded = Parameters<typeof csvOf>[0][number]

const rowOf = (name: string, value: string) => {
  const history = { values: [{ value, blockNumber: 7, timestamp: 1_700_000_000, txHash: null }] }
  return csvOf([{ item: { name }, history } as unknown as Loaded])
    .split('\n')
    .slice(1)
    .join('\n')
}

it.each(['=1+1', '+1', '-1+cmd', '@sum', '\t=1', '\r=1'])(
  'makes text of a name that a spreadsheet would run: %j',
  (name) => {
    expect(rowOf(name, '5').replaceAll('"', '')).toBe(`'${name},1700000000,7,5,`)
  },
)

it.each(['-', '-5-5', '=5'])('makes text of a value that a spreadsheet would run: %j', (value) => {
  expect(rowOf('a', value)).toBe(`a,1700000000,7,'${value},`)
})

it('leaves numbers as they are, and quotes what must be', () => {
  expect(rowOf('a "b", c', '-5')).toBe('"a ""b"", c",1700000000,7,-5,')
})
