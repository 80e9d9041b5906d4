import { expect, it } from 'vitest'
import type { Step, StepOptions } from '../../src/port.ts'
import { addressOf, callTo, traceSmallWith } from './smallRun.ts'

const [first, second] = [addressOf(1), addressOf(2)]
/** The second contract fails; the first one calls it, and returns. */
const codes = { [first]: `0x6001${callTo(second)}600255`, [second]: '0x60016002015b60006000fd' } as const

const stepsOf = (steps: StepOptions) =>
  traceSmallWith({ codes }, async (run) => {
    const told: Step[] = []
    await run.replay({ steps, onStep: (step) => void told.push(step) })
    return told
  })

it('tells of the operations of a part of the run, with their numbers', async () => {
  const all = await stepsOf({})
  expect(all.map(({ number }) => number)).toEqual([...all.keys()])
  expect(all.length).toBeGreaterThan(15)
  for (const from of all.keys()) expect(await stepsOf({ from, count: 3 })).toEqual(all.slice(from, from + 3))
  expect(await stepsOf({ from: all.length, count: 3 })).toEqual([])
})

it('reads the stack of some operations, and of those that fail', async () => {
  const told = await stepsOf({ stack: new Set([0x55]), memory: false })
  const withStack = told.filter(({ stack }) => stack.length > 0).map(({ name, error }) => [name, error])
  expect(withStack).toEqual([['SSTORE', undefined]])
})

it('leaves the data of operations empty that are not wanted as a whole', async () => {
  const all = await stepsOf({ returnData: true })
  const asked: { number: number; bytes: number }[] = []
  const isWhole = (number: number, bytes: number) => asked.push({ number, bytes }) % 2 === 0
  const told = await stepsOf({ returnData: true, isWhole })
  const sizeOf = ({ number, stackSize, memorySize, returnData }: Step) => ({
    number,
    bytes: stackSize * 32 + memorySize + returnData.length,
  })
  expect(asked).toEqual(all.map(sizeOf))
  const nothing = { stack: [], memory: new Uint8Array(0), returnData: new Uint8Array(0) }
  expect(told).toEqual(all.map((step) => (step.number % 2 === 1 ? step : { ...step, ...nothing })))
})
