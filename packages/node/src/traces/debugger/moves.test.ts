import type { Address, CallFrame } from '@understudy/evm'
import { describe, expect, it } from 'vitest'
import { callStackAt } from './callStack.ts'
import { type Events, type Move, moved } from './moves.ts'
import { RunIndex } from './runIndex.ts'

const vault: Address = `0x${'aa'.repeat(20)}`
const token: Address = `0x${'bb'.repeat(20)}`

/**
 * Line 11 of the vault calls a function whose line 21 calls the token, which writes a slot and fails in its line 6. Steps 0 to 19.
 *
 * | step | 0  | 3  | 5  | 8  | 10 | 12 | 14 | 16 | 18 |
 * | line | 10 | 11 | 20 | 21 | 5  | 6  | 21 | 11 | 12 |
 */
function run({ error }: Pick<CallFrame, 'error'> = { error: 'revert' }): RunIndex {
  const frames = [
    { type: 'CALL', depth: 0, to: vault, input: new Uint8Array(), output: new Uint8Array(), error: undefined },
    { type: 'CALL', depth: 1, to: token, input: new Uint8Array(), output: new Uint8Array(), error },
  ] as unknown as CallFrame[]
  const index = new RunIndex(frames)
  const location = (address: Address, line: number) =>
    index.locations.push({ address, file: address === vault ? 'Vault.sol' : 'Token.sol', line, function: `f${line}` }) -
    1
  const locations = new Map([10, 11, 12, 20, 21].map((line) => [line, location(vault, line)]))
  for (const line of [5, 6]) locations.set(line, location(token, line))
  const stop = (step: number, frame: number, line: number, calls: number, isResumed = false) =>
    index.addStop({ step, frame, location: locations.get(line) ?? 0, calls, isResumed })
  index.beginFrame(0, undefined)
  stop(0, 0, 10, 0)
  stop(3, 0, 11, 0)
  stop(5, 0, 20, 1)
  index.addEntry({ step: 5, frame: 0, calls: 1, pc: 70, callerPc: 60, stackSize: 4 })
  stop(8, 0, 21, 1)
  index.steps = 10
  index.beginFrame(1, { index: 0, pc: 90 })
  stop(10, 1, 5, 0)
  index.writes.push({ step: 11, frame: 1, address: token, slot: 1n, value: 7n })
  stop(12, 1, 6, 0)
  index.writes.push({ step: 12, frame: 1, address: token, slot: 2n, value: 8n })
  if (error) index.failures.push(13)
  index.steps = 14
  index.endFrame(1)
  stop(14, 0, 21, 1, true)
  stop(16, 0, 11, 0, true)
  index.writes.push({ step: 17, frame: 0, address: vault, slot: 1n, value: 9n })
  stop(18, 0, 12, 0)
  index.steps = 20
  index.endFrame(0)
  return index
}

const go = (from: number, move: Move, isBack = false) => moved(run(), from, move, isBack)
const back = (from: number, move: Move) => go(from, move, true)
const stepped = (step: number) => ({ step, reason: 'step' })
const end = { step: 19, reason: 'end' }
const start = { step: 0, reason: 'start' }
const nothing: Events = { lines: [], writes: [], calls: false, reverts: false }
const until = (events: Partial<Events>): Move => ({ type: 'until', ...nothing, ...events })
const inVault = (line: number) => ({ file: 'Vault.sol', line })

describe('a step', () => {
  it('goes into functions and contracts, line by line, and back the same way', () => {
    const steps = [0, 3, 5, 8, 10, 12, 14, 16, 18]
    for (const [at, step] of steps.slice(1).entries()) {
      expect(go(steps[at] as number, { type: 'in' })).toEqual(stepped(step))
      expect(back(step, { type: 'in' })).toEqual(stepped(steps[at] as number))
    }
    expect(go(18, { type: 'in' })).toEqual(end)
    expect(back(0, { type: 'in' })).toEqual(start)
  })

  it('over a line passes what the line calls, until the function ends', () => {
    expect(go(3, { type: 'over' })).toEqual(stepped(18))
    expect(go(5, { type: 'over' })).toEqual(stepped(8))
    expect(go(8, { type: 'over' })).toEqual(stepped(16))
    expect(go(12, { type: 'over' })).toEqual(stepped(14))
  })

  it('back over a line goes to where the line before began, not to where it went on after its calls', () => {
    expect(back(18, { type: 'over' })).toEqual(stepped(3))
    expect(back(8, { type: 'over' })).toEqual(stepped(5))
    expect(back(3, { type: 'over' })).toEqual(stepped(0))
    expect(back(10, { type: 'over' })).toEqual(stepped(8))
  })

  it('out of a function goes to its caller, and forwards and back to the end of the run from the outermost', () => {
    expect(go(5, { type: 'out' })).toEqual(stepped(16))
    expect(go(10, { type: 'out' })).toEqual(stepped(14))
    expect(go(3, { type: 'out' })).toEqual(end)
    expect(back(12, { type: 'out' })).toEqual(stepped(8))
    expect(back(8, { type: 'out' })).toEqual(stepped(3))
    expect(back(18, { type: 'out' })).toEqual(start)
  })

  it('from the middle of a line counts from that line', () => {
    expect(go(9, { type: 'in' })).toEqual(stepped(10))
    expect(back(9, { type: 'in' })).toEqual(stepped(8))
    expect(go(4, { type: 'over' })).toEqual(stepped(18))
  })

  it('passes code between functions, and frames in which nothing ran', () => {
    const index = new RunIndex([{ depth: 0 }, { depth: 1 }] as CallFrame[])
    index.locations.push({ address: vault, file: 'Vault.sol', line: 1, function: 'f' })
    index.beginFrame(0, undefined)
    for (const [step, frame, location] of [
      [0, 0, 1],
      [2, 0, 0],
      [4, 1, 1],
      [4, 0, 0],
      [6, 0, 1],
    ] as const)
      index.addStop({ step, frame, location, calls: 0, isResumed: false })
    index.steps = 8
    expect(moved(index, 0, { type: 'in' }, false)).toEqual(stepped(6))
    expect(moved(index, 6, { type: 'in' }, true)).toEqual(stepped(0))
  })

  it('over the last line of a contract goes to the next one that a caller without known lines calls', () => {
    const index = new RunIndex([{ depth: 0 }, { depth: 1 }, { depth: 1 }] as CallFrame[])
    for (const line of [1, 2]) index.locations.push({ address: token, file: 'Token.sol', line, function: 'f' })
    for (const [step, frame, location] of [
      [0, 0, 0],
      [2, 1, 1],
      [4, 0, 0],
      [6, 2, 2],
      [8, 0, 0],
    ] as const)
      index.addStop({ step, frame, location, calls: 0, isResumed: false })
    index.steps = 10
    expect(moved(index, 2, { type: 'over' }, false)).toEqual(stepped(6))
    expect(moved(index, 6, { type: 'over' }, true)).toEqual(stepped(2))
    expect(moved(index, 6, { type: 'over' }, false)).toEqual({ step: 9, reason: 'end' })
  })

  it('of one operation stays within the run, as does a jump to an operation', () => {
    expect(go(7, { type: 'opcode' })).toEqual(stepped(8))
    expect(back(7, { type: 'opcode' })).toEqual(stepped(6))
    expect(go(18, { type: 'opcode' })).toEqual(stepped(19))
    expect(go(19, { type: 'opcode' })).toEqual(end)
    expect(back(1, { type: 'opcode' })).toEqual(stepped(0))
    expect(back(0, { type: 'opcode' })).toEqual(start)
    expect(go(0, { type: 'step', step: 4 })).toEqual(stepped(4))
    expect(go(0, { type: 'step', step: 99 })).toEqual(stepped(19))
    expect(go(4, { type: 'end' })).toEqual(end)
    expect(back(4, { type: 'end' })).toEqual(start)
  })
})

describe('a run until an event', () => {
  it('stops where a line with a breakpoint begins, not where it goes on after a call', () => {
    const move = until({ lines: [inVault(11), inVault(21)] })
    expect(go(0, move)).toEqual({ step: 3, reason: 'line' })
    expect(go(3, move)).toEqual({ step: 8, reason: 'line' })
    expect(go(8, move)).toEqual(end)
    expect(back(19, move)).toEqual({ step: 8, reason: 'line' })
    expect(back(3, move)).toEqual(start)
    expect(go(0, until({ lines: [{ file: 'Token.sol', line: 11 }] }))).toEqual(end)
  })

  it('stops before writes of a watched slot of a contract, of any slot of it, or of all', () => {
    const watch = (address: Address, slot?: bigint) => until({ writes: [{ address, slot }] })
    expect(go(0, watch(vault, 1n))).toEqual({ step: 17, reason: 'write' })
    expect(go(0, watch(token, 2n))).toEqual({ step: 12, reason: 'write' })
    expect(go(0, watch(token))).toEqual({ step: 11, reason: 'write' })
    expect(back(17, watch(token))).toEqual({ step: 12, reason: 'write' })
    expect(go(12, until({ writes: 'all' }))).toEqual({ step: 17, reason: 'write' })
    expect(go(17, until({ writes: 'all' }))).toEqual(end)
    expect(back(11, until({ writes: 'all' }))).toEqual(start)
    expect(go(0, watch(vault, 2n))).toEqual(end)
  })

  it('stops before calls and failures, and not again at the same', () => {
    expect(go(0, until({ calls: true }))).toEqual({ step: 9, reason: 'call' })
    expect(go(9, until({ calls: true }))).toEqual(end)
    expect(back(9, until({ calls: true }))).toEqual(start)
    expect(back(10, until({ calls: true }))).toEqual({ step: 9, reason: 'call' })
    expect(go(0, until({ reverts: true }))).toEqual({ step: 13, reason: 'revert' })
    expect(go(13, until({ reverts: true }))).toEqual(end)
    expect(back(13, until({ reverts: true }))).toEqual(start)
    expect(back(14, until({ reverts: true }))).toEqual({ step: 13, reason: 'revert' })
  })

  it('does not take the ether that SELFDESTRUCT sends for a call', () => {
    const index = new RunIndex([{ type: 'CALL' }, { type: 'SELFDESTRUCT' }, { type: 'CREATE' }] as CallFrame[])
    index.beginFrame(0, undefined)
    for (const [frame, steps] of [
      [1, 5],
      [2, 8],
    ] as const) {
      index.steps = steps
      index.beginFrame(frame, { index: 0, pc: steps })
    }
    index.steps = 10
    expect(moved(index, 0, until({ calls: true }), false)).toEqual({ step: 7, reason: 'call' })
    expect(moved(index, 7, until({ calls: true }), true)).toEqual(start)
  })

  it('stops before the nearest of several events, and at the end without any', () => {
    const all: Partial<Events> = { lines: [inVault(12)], writes: 'all', calls: true, reverts: true }
    const found = [0, 9, 11, 12, 13, 17, 18].map((from) => go(from, until(all)))
    expect(found.map(({ step, reason }) => `${step} ${reason}`)).toEqual([
      '9 call',
      '11 write',
      '12 write',
      '13 revert',
      '17 write',
      '18 line',
      '19 end',
    ])
    expect(back(17, until(all))).toEqual({ step: 13, reason: 'revert' })
    expect(go(0, until({}))).toEqual(end)
  })

  it('names the event of an operation rather than the line that begins with it', () => {
    const line = { file: 'Token.sol', line: 6 }
    expect(go(11, until({ lines: [line] }))).toEqual({ step: 12, reason: 'line' })
    expect(go(11, until({ lines: [line], writes: 'all' }))).toEqual({ step: 12, reason: 'write' })
    expect(back(13, until({ lines: [line], writes: 'all' }))).toEqual({ step: 12, reason: 'write' })
  })
})

describe('the index of a run', () => {
  it('has the writes before an operation, without those of a call that failed before it', () => {
    const slots = (index: RunIndex, step: number) => index.writesBefore(step).map(({ value }) => value)
    expect(slots(run(), 11)).toEqual([])
    expect(slots(run(), 13)).toEqual([7n, 8n])
    expect(slots(run(), 14)).toEqual([])
    expect(slots(run(), 18)).toEqual([9n])
    expect(slots(run({ error: undefined }), 18)).toEqual([7n, 8n, 9n])
  })

  it('tells how an open function was entered, and not one that has returned or was not entered by a jump', () => {
    const entry = { step: 5, frame: 0, calls: 1, pc: 70, callerPc: 60, stackSize: 4 }
    expect(run().entryOf(0, 1, 12)).toEqual(entry)
    expect(run().entryOf(0, 1, 4)).toBeUndefined()
    expect(run().entryOf(0, 0, 12)).toBeUndefined()
    expect(run().entryOf(0, 2, 12)).toBeUndefined()
    expect(run().entryOf(1, 1, 12)).toBeUndefined()
  })

  it('has the open functions of each call at an operation, innermost first', () => {
    const stack = (step: number) =>
      callStackAt(run(), step).map(({ frame, location }) => `${frame} ${location?.function}`)
    expect(stack(0)).toEqual(['0 f10'])
    expect(stack(9)).toEqual(['0 f21', '0 f11'])
    expect(stack(12)).toEqual(['1 f6', '0 f21', '0 f11'])
    expect(stack(19)).toEqual(['0 f12'])
  })
})
