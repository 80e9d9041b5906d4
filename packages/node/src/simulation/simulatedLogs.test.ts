import type { Address, CallFrame, Done, Log } from '@understudy/evm'
import { expect, it } from 'vitest'
import { transferTopic } from '../ethereum/constants.ts'
import type { Receipt } from '../ethereum/receipt.ts'
import { wordFromBigint } from '../shared/hex.ts'
import { simulatedLogs } from './simulatedLogs.ts'

const [alice, vault, token]: Address[] = ['a1', 'aa', 'bb'].map((byte) => `0x${byte.repeat(20)}` as const)
const log = (topic: number): Log => ({
  address: token as Address,
  topics: [wordFromBigint(BigInt(topic))],
  data: Uint8Array.of(topic),
})
const frame = (depth: number, logs: [number, number], more: Partial<CallFrame> = {}) =>
  ({
    type: 'CALL',
    depth,
    from: alice,
    to: vault,
    value: 0n,
    error: undefined,
    logs,
    undoneLogs: 0,
    ...more,
  }) as CallFrame
const run = (frames: CallFrame[], logs: Log[] = []) => ({ frames, logs }) as Partial<Done> as Done

/** `index data` of the logs of each run; `index from>to wei` of transfers of ether. */
function shown(addsTransfers: boolean, ...runs: Done[]): string[][] {
  const receipts = runs.map(
    (_, transactionIndex) => ({ transaction: { hash: '0x' }, transactionIndex }) as object as Receipt,
  )
  return simulatedLogs(runs, receipts, addsTransfers).map((logs) =>
    logs.map(({ logIndex, address, topics: [topic, ...parties], data }) => {
      if (topic !== transferTopic) return `${logIndex} ${Number(data)}`
      const [from, to] = parties.map((party) => party.slice(-2))
      return `${logIndex} ${from}>${to} ${Number(data)} ${address.slice(0, 6)}`
    }),
  )
}

/** A log, a call that sends ether and has a log, a log, a call with a log that fails, and a log. */
const nested = run(
  [
    frame(0, [0, 4], { value: 5n }),
    frame(1, [1, 2], { from: vault, to: token, value: 3n }),
    frame(1, [3, 3], { from: vault, to: token, value: 9n, error: 'revert', undoneLogs: 1 }),
  ],
  [log(1), log(2), log(3), log(4)],
)

it('counts the logs of a block on from one transaction to the next', () => {
  expect(shown(false, run([frame(0, [0, 2])], [log(1), log(2)]), run([frame(0, [0, 0])]), nested)).toEqual([
    ['0 1', '1 2'],
    [],
    ['2 1', '3 2', '4 3', '6 4'],
  ])
})

it('adds a log of each transfer of ether before the logs of its call', () => {
  expect(shown(true, nested, run([frame(0, [0, 1])], [log(1)]))).toEqual([
    ['0 a1>aa 5 0xeeee', '1 1', '2 aa>bb 3 0xeeee', '3 2', '4 3', '7 4'],
    ['8 1'],
  ])
})

it('leaves out all logs of a transaction that failed, and counts them', () => {
  const failed = run([
    frame(0, [0, 0], { error: 'out of gas', value: 1n, undoneLogs: 2 }),
    frame(1, [0, 0], { value: 1n }),
    frame(1, [0, 0], { error: 'revert', undoneLogs: 4 }),
  ])
  const next = run([frame(0, [0, 1])], [log(1)])
  expect(shown(false, failed, next)).toEqual([[], ['6 1']])
  expect(shown(true, failed, next)).toEqual([[], ['8 1']])
})

it('adds no transfer where a call moves no ether, whatever value it names', () => {
  const types = ['DELEGATECALL', 'CALLCODE', 'STATICCALL', 'CALL', 'CREATE', 'SELFDESTRUCT'] as const
  const frames = types.map((type) => frame(1, [0, 0], { type, value: 7n }))
  expect(shown(true, run([frame(0, [0, 0]), ...frames, frame(1, [0, 0])]))).toEqual([
    ['0 a1>aa 7 0xeeee', '1 a1>aa 7 0xeeee', '2 a1>aa 7 0xeeee'],
  ])
})
