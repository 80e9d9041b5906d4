import { expect, it } from 'vitest'
import { type CallFrame, itemsOf, openDepthOf } from './trace.ts'

const frame = (more: Partial<CallFrame> = {}): CallFrame => ({
  type: 'CALL',
  from: '0x',
  gas: '0x0',
  gasUsed: '0x0',
  input: '0x',
  ...more,
})
const log = (index: number, position: number) => ({
  ...{ address: '0x', topics: [], data: '0x', index: `0x${index}`, position: `0x${position}` },
})
const write = (slot: number, position: number, logPosition: number) => ({
  ...{ address: '0x', slot: `0x${slot}`, before: '0x0', after: '0x1' },
  ...{ position: `0x${position}`, logPosition: `0x${logPosition}` },
})

it('lists calls, events and writes in their order', () => {
  const root = frame({
    calls: [frame({ type: 'STATICCALL' }), frame()],
    logs: [log(0, 0), log(1, 0), log(4, 2)],
    writes: [write(1, 0, 1), write(2, 1, 2), write(3, 2, 2), write(4, 2, 3)],
  } as Partial<CallFrame>)
  const shown = itemsOf(root).map((item) =>
    item.type === 'call' ? item.call.type : item.type === 'log' ? `log ${item.log.index}` : `slot ${item.write.slot}`,
  )
  expect(shown).toEqual([
    ...['log 0x0', 'slot 0x1', 'log 0x1', 'STATICCALL', 'slot 0x2', 'CALL'],
    ...['slot 0x3', 'log 0x4', 'slot 0x4'],
  ])
})

it('opens a small trace whole, and a large one as deep as a page can draw', () => {
  const nested = (count: number, depth: number): CallFrame =>
    frame(depth === 0 ? {} : { calls: Array.from({ length: count }, () => nested(count, depth - 1)) })
  expect(openDepthOf(nested(2, 3))).toBe(10)
  expect(openDepthOf(nested(10, 3))).toBe(2)
  expect(openDepthOf(nested(1000, 1))).toBe(1)
})
