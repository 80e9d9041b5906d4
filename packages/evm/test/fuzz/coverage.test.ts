import { describe, expect, it } from 'vitest'
import { createEvm } from '../../src/engine.ts'
import { keccak256Hex } from '../../src/keccak.ts'
import { type ReachedCode, takenJump } from '../../src/observers/coverageSink.ts'
import type { CallFrame, Done, Message } from '../../src/port.ts'
import { replayEvents } from '../../src/tracers/events.ts'
import { type FuzzCase, makeCase } from './cases.ts'
import { blockOf, StateWithoutHistory } from './runCase.ts'

const cases = Math.ceil(Number(process.env.FUZZ_CASES ?? 3_000) / 10)
const seed = Number(process.env.FUZZ_SEED ?? 1)

type Reached = Record<string, number[]>

/** A sink, and what it was told of, by code. */
function createSink() {
  const told = new Map<string, Set<number>>()
  return {
    session: 1,
    told,
    add(_session: number, { hash, isCreation, positions, code }: ReachedCode) {
      expect(keccak256Hex(code())).toBe(hash)
      const key = isCreation ? `creation ${hash}` : hash
      told.set(key, new Set([...(told.get(key) ?? []), ...positions]))
    },
    take(): Reached {
      const found = sorted(told)
      told.clear()
      return found
    },
  }
}

const sorted = (sets: Map<string, Set<number>>): Reached =>
  Object.fromEntries(
    [...sets].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, set]) => [key, [...set].sort((a, b) => a - b)]),
  )

const messageOf = ({ fork: _, state: __, sender, ...message }: FuzzCase): Message => ({ from: sender, ...message })
const endsBlock = new Set(['JUMPI', 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2'])

/** Whether the JUMPI at a position has a target that is pushed by PUSH2 before it. */
function isStatic(code: Uint8Array, jump: number): boolean {
  let last = 0
  for (
    let pc = 0;
    pc < jump;
    pc += ((code[pc] ?? 0) >= 0x60 && (code[pc] ?? 0) <= 0x7f ? (code[pc] ?? 0) - 0x5f : 0) + 1
  )
    last = pc
  return last === jump - 3 && code[last] === 0x61
}

/** What a traced run shows to be reached. */
async function reachedBy(test: FuzzCase, result: Done, replay: (onStep: object) => void): Promise<Reached> {
  const reached = new Map<string, Set<number>>()
  const deployed = new Map(result.frames.flatMap((frame) => (isCreation(frame) ? [[frame.to, frame.output]] : [])))
  const open: { code: Uint8Array; set: Set<number>; begins: boolean }[] = []
  const codeAt = (address: string, resolves = true): Uint8Array => {
    const code = test.state.get(address)?.code ?? deployed.get(address as never) ?? new Uint8Array()
    const isDelegation = resolves && code.length === 23 && code[0] === 0xef
    return isDelegation ? codeAt(`0x${Buffer.from(code.subarray(3)).toString('hex')}`, false) : code
  }
  await replayEvents({ result, replay: async (more: object) => replay(more) } as never, {
    enter(frame) {
      const code = isCreation(frame) ? frame.input : codeAt(frame.to)
      const key = `${isCreation(frame) ? 'creation ' : ''}${keccak256Hex(code)}`
      const set = reached.get(key) ?? new Set()
      reached.set(key, set)
      open.push({ code, set, begins: true })
    },
    step({ pc, name, stack, error }) {
      const frame = open.at(-1)
      if (!frame || pc >= frame.code.length) return
      if (frame.begins || name === 'JUMPDEST') frame.set.add(pc)
      frame.begins = endsBlock.has(name)
      const jumps = name === 'JUMPI' && error === undefined && stack.at(-2) !== 0n
      if (jumps && isStatic(frame.code, pc)) frame.set.add(pc + takenJump)
    },
    exit: () => void open.pop(),
  })
  for (const [key, set] of reached) if (set.size === 0) reached.delete(key)
  return sorted(reached)
}

const isCreation = ({ type }: CallFrame) => type === 'CREATE' || type === 'CREATE2'

describe(`coverage of ${cases} cases from seed ${seed}`, () => {
  it('tells of the blocks and jumps that ran, once, and only of runs that count', { timeout: 300_000 }, async () => {
    const sink = createSink()
    const evm = createEvm({ pauseCheckGas: 1n })
    let told = 0
    for (let i = 0; i < cases; i++) {
      const caseSeed = seed + i
      const test = makeCase(caseSeed, 'osaka')
      // The accounts that it changes would change the codes.
      if (test.authorizationList) continue
      const view = new StateWithoutHistory(test.state)
      const block = blockOf(test.fork)
      const run = (more: object = {}) => evm.run(messageOf(test), block, view, { kind: 'transaction', ...more })
      sink.session = 0
      const result = run({ coverage: sink })
      if (result.type !== 'done' || result.frames.some(({ type }) => type === 'SELFDESTRUCT')) continue
      sink.session = i + 1
      run({ coverage: { ...sink, add: () => {} } })
      run()
      expect({ caseSeed, reached: sink.take() }).toEqual({ caseSeed, reached: {} })
      sink.session = cases + i + 1
      run({ coverage: sink })
      const reached = sink.take()
      told += Object.keys(reached).length
      expect({ caseSeed, reached }).toEqual({
        caseSeed,
        reached: await reachedBy(test, result, (more) => run({ ...more, steps: { stack: true, memory: false } })),
      })
      run({ coverage: sink })
      expect({ caseSeed, reached: sink.take() }).toEqual({ caseSeed, reached: {} })
    }
    expect(told).toBeGreaterThan(cases)
  })
})
