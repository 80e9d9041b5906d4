import type { Address, Hex, Word } from '@understudy/evm'
import { expect, it } from 'vitest'
import type { RawBlock } from '../answers.ts'
import type { Request } from '../transport/requests.ts'
import { loadFromAccessList } from './accessLists.ts'
import { loadFromPrestateDiffsByHash } from './prestateDiffs.ts'
import { isKnownChain, protocolContracts } from './protocolChanges.ts'
import { loadFromStateDiffs } from './stateDiffs.ts'

const word = (byte: string): Word => `0x${byte.padStart(64, '0')}`
const pool: Address = `0x${'ab'.repeat(20)}`
const gone: Address = `0x${'cd'.repeat(20)}`
const fresh: Address = `0x${'ef'.repeat(20)}`
const miner: Address = `0x${'11'.repeat(20)}`
const staker: Address = `0x${'22'.repeat(20)}`
const transaction: Word = word('77')
const { signal } = new AbortController()

const block: RawBlock = {
  number: '0x10',
  hash: word('aa'),
  parentHash: word('99'),
  timestamp: '0x1',
  miner,
  transactions: [transaction],
  uncles: [],
  withdrawals: [{ address: staker }],
}

/** An upstream that has one answer. */
const answering =
  (answer: unknown): Request =>
  async <T>() =>
    answer as T

const mixedCase = (address: Address) => `0x${address.slice(2).toUpperCase()}`

it('reads prestate diffs: what is in one half alone was created or destroyed, and a slot that became zero is named in the first', async () => {
  const result = {
    pre: {
      [mixedCase(pool)]: { balance: '0x5', storage: { [word('1')]: word('9'), [word('2')]: word('8') } },
      [gone]: { balance: '0x1', nonce: 1, code: '0x60' },
    },
    post: {
      [mixedCase(pool)]: { balance: '0x6', storage: { [word('2')]: word('7'), [word('3')]: word('4') } },
      [fresh]: { nonce: 1, code: '0x60' },
    },
  }
  const changes = await loadFromPrestateDiffsByHash(answering([{ txHash: transaction, result }]), block, signal)
  expect(changes.wiped).toEqual(new Set([gone, fresh]))
  expect(changes.slots).toEqual(
    new Map([
      [
        pool,
        new Map([
          [word('1'), undefined],
          [word('2'), 7n],
          [word('3'), 4n],
        ]),
      ],
    ]),
  )
  expect([...changes.balances]).toEqual(expect.arrayContaining([pool, miner, staker]))
  expect([...changes.storages]).toEqual([...protocolContracts])
})

it('reads state diffs, with the values of born and changed slots', async () => {
  const stateDiff = {
    [pool]: {
      balance: '=',
      nonce: '=',
      code: '=',
      storage: {
        [word('1')]: { '*': { from: word('1'), to: word('5') } },
        [word('2')]: { '+': word('6') },
        [word('3')]: { '-': word('6') },
        [word('4')]: '=',
      },
    },
    [gone]: { balance: { '-': '0x1' }, nonce: { '-': '0x1' }, code: { '-': '0x60' }, storage: {} },
  }
  const changes = await loadFromStateDiffs(answering([{ stateDiff, transactionHash: transaction }]), block, signal)
  expect(changes.wiped).toEqual(new Set([gone]))
  expect(changes.slots.get(pool)).toEqual(
    new Map([
      [word('1'), 5n],
      [word('2'), 6n],
      [word('3'), undefined],
    ]),
  )
})

it.each([
  ['transactions of another block', [{ txHash: word('78'), result: { pre: {}, post: {} } }]],
  ['too few transactions', []],
  ['transactions without their hashes', [{ result: { pre: {}, post: {} } }]],
])('takes no trace of %s', async (_, traced) => {
  await expect(loadFromPrestateDiffsByHash(answering(traced), block, signal)).rejects.toMatchObject({
    kind: 'UPSTREAM_ERROR',
  })
})

it('reads access lists, with the last value of each slot', async () => {
  const list = [
    {
      address: mixedCase(pool),
      storageChanges: [
        {
          key: '0x1',
          changes: [
            { index: '0x1', value: word('5') },
            { index: '0x2', value: word('6') },
          ],
        },
      ],
      storageReads: [word('9')],
      balanceChanges: [{ index: '0x1', value: '0x5' as Hex }],
      nonceChanges: [],
      codeChanges: [],
    },
  ]
  const withList = { ...block, blockAccessListHash: word('bb') }
  const changes = await loadFromAccessList(answering(list), withList, signal)
  expect(changes.slots).toEqual(new Map([[pool, new Map([[word('1'), 6n]])]]))
  expect(changes.balances).toEqual(new Set([pool]))
  expect(changes.storages).toEqual(new Set())
  // Of a block that has no list, some nodes answer an empty one.
  await expect(loadFromAccessList(answering([]), withList, signal)).rejects.toMatchObject({ kind: 'UPSTREAM_ERROR' })
  await expect(loadFromAccessList(answering(list), block, signal)).rejects.toMatchObject({ kind: 'UPSTREAM_ERROR' })
})

it('trusts traces on chains of which it is known what blocks change beside their transactions', () => {
  const [ethereum, base, polygon, arbitrum] = [1n, 8453n, 137n, 42161n].map(isKnownChain)
  expect({ ethereum, base, polygon, arbitrum }).toEqual({ ethereum: true, base: true, polygon: false, arbitrum: false })
})
