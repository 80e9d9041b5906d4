import { expect, it } from 'vitest'
import { transactionsCsv } from './export.ts'

it('writes a transaction in a row', () => {
  const item = {
    blockNumber: 7,
    timestamp: '2026-01-01T00:00:00.000Z',
    transactionHash: '0x01',
    from: '0x02',
    to: null,
    function: null,
    value: '5',
    gasUsed: '21000',
    status: 'success',
  }
  expect(transactionsCsv([item as never]).split('\n')).toEqual([
    'block,timestamp,hash,from,to,function,value,gasUsed,status',
    '7,2026-01-01T00:00:00.000Z,0x01,0x02,,create,5,21000,success',
  ])
})
