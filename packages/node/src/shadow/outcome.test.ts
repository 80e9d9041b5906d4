import type { Done, Log } from '@understudy/evm'
import { describe, expect, it } from 'vitest'
import { transferTopic } from '../ethereum/constants.ts'
import { bytesFromHex, wordFromBigint } from '../shared/hex.ts'
import { compareRuns } from './outcome.ts'

const token = `0x${'70'.repeat(20)}` as const
const [alice, bob] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`] as const

/** A run that succeeded and left nothing. */
const nothing: Done = {
  type: 'done',
  status: 'success',
  halt: undefined,
  gasUsed: 21_000n,
  gasRefund: 0n,
  surcharge: 0n,
  blockGas: { regular: 21_000n, state: 0n } as Done['blockGas'],
  output: new Uint8Array(),
  createdAddress: undefined,
  logs: [],
  diff: { accounts: new Map(), slots: new Map() } as unknown as Done['diff'],
  readSet: {} as Done['readSet'],
  frames: [],
  preimages: undefined,
}
const run = (fields: Partial<Done> = {}, balances: readonly (readonly [typeof alice | typeof bob, bigint])[] = []) => ({
  result: { ...nothing, ...fields },
  balances: new Map(balances),
})
const transfer = (from: string, to: string, amount: bigint): Log => ({
  address: token,
  topics: [transferTopic, wordFromBigint(BigInt(from)), wordFromBigint(BigInt(to))],
  data: bytesFromHex(wordFromBigint(amount)),
})
const slots = (value: bigint) =>
  ({
    accounts: new Map(),
    slots: new Map([[token, new Map([[wordFromBigint(1n), value]])]]),
  }) as unknown as Done['diff']

describe('comparing what a transaction does here and on the live chain', () => {
  it('finds no difference between equal runs', () => {
    const same = () => run({ logs: [transfer(alice, bob, 5n)], diff: slots(7n) }, [[alice, -5n]])
    expect(compareRuns(same(), same())).toMatchObject({
      fields: [],
      logs: [],
      balances: [],
      tokens: [],
      truncated: false,
    })
  })

  it('shows a log that one side has between those that both have', () => {
    const [first, extra, last] = [transfer(alice, bob, 1n), transfer(alice, bob, 2n), transfer(bob, alice, 3n)]
    const { fields, logs } = compareRuns(run({ logs: [first, last] }), run({ logs: [first, extra, last] }))
    expect(fields).toEqual(['logs'])
    expect(logs).toEqual([{ live: null, shadow: expect.objectContaining({ topics: extra.topics }) }])
  })

  it('adds up the transfers of tokens by holder', () => {
    const live = run({ logs: [transfer(alice, bob, 5n), transfer(alice, bob, 1n)] })
    const shadow = run({ logs: [transfer(alice, bob, 4n)] })
    expect(compareRuns(live, shadow).tokens).toEqual([
      { token, holder: alice, live: '-6', shadow: '-4' },
      { token, holder: bob, live: '6', shadow: '4' },
    ])
  })

  it('compares why runs failed only where both did', () => {
    const failed = (output: `0x${string}`) => run({ status: 'revert', output: bytesFromHex(output) })
    expect(compareRuns(failed('0x01'), failed('0x02')).fields).toEqual(['reason'])
    expect(compareRuns(run(), failed('0x02')).fields).toEqual(['status'])
    expect(compareRuns(run(), run({ status: 'halt', halt: 'out of gas' as Done['halt'] })).shadow).toMatchObject({
      status: 'failed',
      reason: 'out of gas',
    })
  })

  it('names slots, balances and gas that differ, a slot that one side did not write too', () => {
    const live = run({ diff: slots(7n), gasUsed: 30_000n }, [[alice, -5n]])
    const { fields, storage, balances } = compareRuns(live, run({}, [[bob, 5n]]))
    expect(fields).toEqual(['gas', 'balances', 'storage'])
    expect(storage).toEqual([{ address: token, slot: wordFromBigint(1n), live: wordFromBigint(7n), shadow: null }])
    expect(balances).toEqual([
      { address: alice, live: '-5', shadow: null },
      { address: bob, live: null, shadow: '5' },
    ])
  })

  it('cuts a list of more than fifty, and says so', () => {
    const logs = Array.from({ length: 51 }, (_, index) => transfer(alice, bob, BigInt(index)))
    const comparison = compareRuns(run(), run({ logs }))
    expect(comparison.logs).toHaveLength(50)
    expect(comparison.truncated).toBe(true)
  })
})
