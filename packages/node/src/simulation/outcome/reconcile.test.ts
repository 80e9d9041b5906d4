import type { Address } from '@understudy/evm'
import { expect, it } from 'vitest'
import type { Move } from './moves.ts'
import { type BalancePair, reconcile } from './reconcile.ts'

const [token, a, b, c] = ['70', 'aa', 'bb', 'cc'].map((digits): Address => `0x${digits.repeat(20)}`) as [
  Address,
  Address,
  Address,
  Address,
]
const asset = { kind: 'erc20', token, tokenId: undefined } as const

const move = (from: Address | undefined, to: Address | undefined, amount: bigint, isClaim = false): Move => {
  const type = from === undefined ? 'mint' : to === undefined ? 'burn' : 'transfer'
  return { ...asset, type, from, to, amount, isWrap: false, inferred: false, frame: 0, isClaim }
}
const balances = (...changes: [Address, bigint][]): Map<Address, BalancePair> =>
  new Map(changes.map(([address, change]) => [address, { before: 100n, after: 100n + change }]))

/** The moves that are true and inferred, as text, and the problem. */
function reconciled(moves: Move[], changes: Map<Address, BalancePair>) {
  const name = (address: Address | undefined) => address?.slice(2, 4) ?? '-'
  const { kept, inferred, problem } = reconcile(moves, changes, asset)
  const shown = ({ from, to, amount, isWrap, inferred: isInferred }: Move) =>
    `${name(from)}>${name(to)} ${amount}${isWrap ? ' wrap' : ''}${isInferred ? ' inferred' : ''}`
  return [[...kept.values(), ...inferred].map(shown), problem] as const
}

it('keeps the moves that balances confirm', () => {
  const moves = [move(a, b, 5n), move(b, c, 2n), move(undefined, a, 1n)]
  expect(reconciled(moves, balances([a, -4n], [b, 3n], [c, 2n]))).toEqual([['aa>bb 5', 'bb>cc 2', '->aa 1'], undefined])
})

it('infers what no event tells of, from those who lost to those who gained', () => {
  expect(reconciled([], balances([a, -7n], [b, 5n], [c, 2n]))[0]).toEqual(['aa>bb 5 inferred', 'aa>cc 2 inferred'])
  expect(reconciled([], balances([a, 7n]))[0]).toEqual(['->aa 7 inferred'])
  expect(reconciled([], balances([a, -3n], [b, 1n]))[0]).toEqual(['aa>bb 1 inferred', 'aa>- 2 inferred'])
})

it('adds what a token takes of a transfer without an event, and says so', () => {
  expect(reconciled([move(a, b, 100n)], balances([a, -100n], [b, 95n]))).toEqual([
    ['aa>bb 100', 'bb>- 5 inferred'],
    'its balances changed by other amounts than its events tell',
  ])
})

it('drops the events of a token whose balances stay', () => {
  expect(reconciled([move(a, b, 9n)], balances([a, 0n], [b, 0n]))).toEqual([
    [],
    'its events tell of moves, and balanceOf of none',
  ])
})

it('takes claims of wrapping for moves where they explain a balance, and not beside events of the same', () => {
  const claims = [move(undefined, a, 7n, true), move(a, undefined, 2n, true)]
  expect(reconciled(claims, balances([a, 5n]))).toEqual([['->aa 7 wrap', 'aa>- 2 wrap'], undefined])
  expect(reconciled(claims, balances([a, 8n]))).toEqual([['->aa 7 wrap', '->aa 1 inferred'], undefined])
  expect(reconciled([move(undefined, a, 7n), ...claims], balances([a, 5n]))[0]).toEqual(['->aa 7 wrap', 'aa>- 2 wrap'])
  expect(reconciled([move(undefined, a, 7n), claims[0] as Move], balances([a, 7n]))[0]).toEqual(['->aa 7 wrap'])
  expect(reconciled(claims.slice(0, 1), balances([a, 0n]))).toEqual([[], undefined])
})
