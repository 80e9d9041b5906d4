import { createFakeClock } from '@understudy/testkit'
import fc from 'fast-check'
import { type Hex, numberToHex } from 'viem'
import { expect, it } from 'vitest'
import { startNetwork } from '../../startNetwork.ts'
import { type Rpc, timesOf } from './blockTimes.ts'
import { ClockModel } from './clockModel.ts'

const sequences = Number(process.env.CLOCK_SEQUENCES ?? 3)
const seed = Number(process.env.CLOCK_SEED ?? 1)
const commonSteps = [
  'increase',
  'set next',
  'set time',
  'set interval',
  'remove interval',
  'anvil_mine',
  'hardhat_mine',
  'evm_mine',
  'send',
  'send many',
  'mine what waits',
  'snapshot',
  'revert',
  'roll back',
] as const
const rareSteps = ['a long run', 'reset', 'restart'] as const

/** `seconds` may be negative where a time is set: before the newest block. `waitsMs`: how long before the step. */
type Step = { name: (typeof commonSteps | typeof rareSteps)[number]; count: number; seconds: number; waitsMs: number }
const steps = fc.array(
  fc.record<Step>({
    name: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...commonSteps) },
      { weight: 1, arbitrary: fc.constantFrom(...rareSteps) },
    ),
    count: fc.nat(4),
    waitsMs: fc.oneof(fc.constant(0), fc.nat(20_000)),
    seconds: fc.oneof(fc.constantFrom(0, 1, 2, 86_400), fc.integer({ min: -50, max: 100 })),
  }),
  { minLength: 10, maxLength: 40, size: 'max' },
)

/** A failure is made shorter until this time has passed, in milliseconds. */
const limit = 60_000 + sequences * 5_000
const hex = (value: number) => numberToHex(value)

it.each([false, true])(
  'every block has the time of a small model after any sequence of clock methods (allowSameTimestamp: %s)',
  { timeout: limit + 20_000 },
  async (allowSameTimestamp) => {
    await fc.assert(
      fc.asyncProperty(steps, (chosen) => follow(chosen, allowSameTimestamp)),
      { numRuns: sequences, seed, interruptAfterTimeLimit: limit, markInterruptAsFailure: true },
    )
  },
)

/** Takes these steps on a new network and on the model, and compares them after each. */
async function follow(chosen: readonly Step[], allowSameTimestamp: boolean): Promise<void> {
  const clock = createFakeClock()
  const network = await startNetwork({ accounts: 1, allowSameTimestamp }, { clock })
  try {
    const rpc: Rpc = (method, ...params) => network.rpc(method, ...params)
    const times = timesOf(rpc)
    const origin = await times.head()
    const model = new ClockModel(() => Math.floor(clock.now() / 1000), [await times.at('latest')], allowSameTimestamp)
    let snapshots: { id: Hex; blocks: number; revert: () => void }[] = []
    const isTaken = (method: string, ...params: unknown[]) =>
      rpc(method, ...params).then(
        () => true,
        (error) => {
          expect(error.message).toMatch(/timestamp: \d+ is (equal to|lower than) the previous block's timestamp/)
          return false
        },
      )

    /** Each returns what the network and the model answered, or nothing. */
    const actions: Record<Step['name'], (step: Step) => Promise<[network: unknown, model: unknown] | undefined>> = {
      async increase({ seconds }) {
        return [await rpc('evm_increaseTime', Math.abs(seconds)), model.increase(Math.abs(seconds))]
      },
      async 'set next'({ seconds }) {
        const time = model.head + seconds
        return [await isTaken('evm_setNextBlockTimestamp', time), model.setNext(time)]
      },
      async 'set time'({ count, seconds }) {
        const time = model.head + seconds
        const [method, given] = count % 2 === 0 ? ['evm_setTime', time] : ['anvil_setTime', time * 1000]
        return [await rpc(method, given), model.setTime(time)]
      },
      async 'set interval'({ seconds }) {
        await rpc('anvil_setBlockTimestampInterval', Math.abs(seconds))
        model.interval = Math.abs(seconds)
        return undefined
      },
      async 'remove interval'() {
        return [await rpc('anvil_removeBlockTimestampInterval'), model.removeInterval()]
      },
      async anvil_mine({ count, seconds }) {
        const apart = Math.max(0, seconds)
        await rpc('anvil_mine', hex(count), ...(apart > 0 ? [hex(apart)] : []))
        model.mine(count, apart > 0 ? { before: apart, between: apart } : {})
        return undefined
      },
      async hardhat_mine({ count, seconds }) {
        const isGiven = seconds >= 0
        await rpc('hardhat_mine', hex(count), ...(isGiven ? [hex(seconds)] : []))
        model.mine(count, seconds === 0 ? {} : { between: isGiven ? seconds : 1 })
        return undefined
      },
      async evm_mine({ count, seconds }) {
        if (count === 0) return [await isTaken('evm_mine'), model.mine(1)]
        const at = count % 2 === 0 ? undefined : model.head + seconds
        return [await isTaken('evm_mine', { blocks: count - 1, timestamp: at }), model.mine(count - 1, { at })]
      },
      async 'a long run'({ count, seconds }) {
        const [blocks, apart] = [1_200, Math.max(0, seconds)]
        const method = count % 2 === 0 ? 'anvil_mine' : 'hardhat_mine'
        await rpc(method, hex(blocks), hex(apart))
        const given = method === 'anvil_mine' ? { before: apart, between: apart } : { between: apart }
        model.mine(blocks, apart > 0 ? given : {})
        return undefined
      },
      async send() {
        await times.send()
        model.mine(1)
        return undefined
      },
      async 'send many'({ count }) {
        await Promise.all(Array.from({ length: count }, times.send))
        for (let sent = 0; sent < count; sent++) model.mine(1)
        return undefined
      },
      async 'mine what waits'({ count, seconds }) {
        const apart = Math.abs(seconds) + 1
        await rpc('evm_setAutomine', false)
        await Promise.all(Array.from({ length: count }, times.send))
        await rpc('anvil_mine', hex(2), hex(apart))
        await rpc('evm_setAutomine', true)
        model.mine(2, { before: apart, between: apart })
        return undefined
      },
      async snapshot() {
        snapshots.push({ id: await rpc('evm_snapshot'), blocks: model.times.length, revert: model.snapshot() })
        return undefined
      },
      async revert({ count }) {
        const at = snapshots.length - 1 - count
        const snapshot = snapshots[at]
        if (!snapshot) return undefined
        const reverted = await rpc('evm_revert', snapshot.id)
        snapshot.revert()
        snapshots.splice(at)
        return [reverted, true]
      },
      async 'roll back'({ count }) {
        const depth = Math.min(count, model.times.length - 1)
        if (depth === 0) return undefined
        await rpc('anvil_rollback', depth)
        model.times.splice(-depth)
        // At its origin, the accounts are funded again, which is later than any snapshot.
        snapshots = snapshots.filter(({ blocks }) => blocks <= model.times.length && model.times.length > 1)
        return undefined
      },
      async reset() {
        await rpc('anvil_reset')
        Object.assign(model, { times: model.times.slice(0, 1), shift: 0, next: undefined, interval: undefined })
        snapshots = []
        return undefined
      },
      async restart() {
        await network.restart()
        return undefined
      },
    }

    for (const [index, step] of chosen.entries()) {
      clock.advance(step.waitsMs)
      const before = model.times.length
      const answers = await actions[step.name](step)
      const context = { index, ...step }
      if (answers) expect({ context, answer: answers[0] }).toEqual({ context, answer: answers[1] })
      const newest = model.times.length - 1
      const compared = model.times
        .map((_, at) => at)
        .filter((at) => at > newest - 6 || (at >= before && at < before + 3))
      const found = await Promise.all(compared.map((at) => times.at(hex(origin + at))))
      expect({ context, times: found }).toEqual({ context, times: compared.map((at) => model.times[at]) })
      const [latest, pending] = await Promise.all([times.seen('latest'), times.seen('pending')])
      const number = origin + newest
      expect({ context, latest, pending, block: await times.at('pending') }).toEqual({
        context,
        latest: { time: model.head, number },
        pending: { time: model.pending, number: number + 1 },
        block: model.pending,
      })
    }
  } finally {
    await network.stop()
  }
}
