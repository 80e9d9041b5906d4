import { expect, it } from 'vitest'
import { isNetworkError } from '../shared/errors.ts'
import { planBlocks, type SimulatedBlockRequest } from './simulatedChain.ts'

const base = { number: 100n, timestamp: 1000n }
const block = (overrides: SimulatedBlockRequest['overrides'] = {}): SimulatedBlockRequest => ({
  overrides,
  state: new Map(),
  calls: [{}],
})
const planned = (...blocks: SimulatedBlockRequest[]) =>
  planBlocks(blocks, base).map(({ number, timestamp, calls }) => [Number(number), Number(timestamp), calls.length])
/** The error's kind and details. */
function refusal(...blocks: SimulatedBlockRequest[]) {
  try {
    return planBlocks(blocks, base).length
  } catch (error) {
    return isNetworkError(error) ? [error.kind, error.details] : error
  }
}

it('numbers blocks on from the base, twelve seconds apart', () => {
  expect(planned(block(), block())).toEqual([
    [101, 1012, 1],
    [102, 1024, 1],
  ])
  expect(planned()).toEqual([])
})

it('goes on from the number and the time that a block asks for', () => {
  expect(planned(block({ timestamp: 1001n }), block(), block({ number: 103n, timestamp: 5000n }), block())).toEqual([
    [101, 1001, 1],
    [102, 1013, 1],
    [103, 5000, 1],
    [104, 5012, 1],
  ])
})

it('fills gaps with empty blocks, which take no time of the block after them', () => {
  const gap = block({ number: 103n, timestamp: 1025n })
  expect(planned(gap, block())).toEqual([
    [101, 1012, 0],
    [102, 1024, 0],
    [103, 1025, 1],
    [104, 1037, 1],
  ])
  const [filler, , asked] = planBlocks([gap], base)
  expect(filler).toMatchObject({ overrides: {}, state: undefined })
  expect(asked).toMatchObject(gap)
})

it('refuses numbers and times that do not grow, also after a gap', () => {
  expect(refusal(block({ number: 100n }))).toEqual([
    'SIMULATED_NUMBER_NOT_INCREASING',
    { number: 100n, previous: 100n },
  ])
  expect(refusal(block(), block({ number: 101n }))).toEqual([
    'SIMULATED_NUMBER_NOT_INCREASING',
    { number: 101n, previous: 101n },
  ])
  expect(refusal(block({ timestamp: 1000n }))).toEqual([
    'SIMULATED_TIME_NOT_INCREASING',
    { timestamp: 1000n, previous: 1000n },
  ])
  expect(refusal(block({ number: 103n, timestamp: 1024n }))).toEqual([
    'SIMULATED_TIME_NOT_INCREASING',
    { timestamp: 1024n, previous: 1024n },
  ])
})

it('refuses more than 256 blocks, with those that fill gaps', () => {
  expect(refusal(block({ number: 356n }))).toBe(256)
  expect(refusal(block({ number: 357n }))).toEqual(['SIMULATION_TOO_LARGE', { what: 'more than 256 blocks' }])
  expect(refusal(block({ number: 356n }), block())).toEqual(['SIMULATION_TOO_LARGE', { what: 'more than 256 blocks' }])
  expect(refusal(block({ number: 2n ** 64n }))).toEqual(['SIMULATION_TOO_LARGE', { what: 'more than 256 blocks' }])
})
