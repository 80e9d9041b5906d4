import type { Address } from '@understudy/evm'
import { gainOf, type Move } from './moves.ts'

/** A holder's balance before a call and after it. */
export type BalancePair = { before: bigint; after: bigint }

type Reconciled = {
  /** Those of the moves that are true, by what they were. */
  kept: Map<Move, Move>
  /** What balances changed by beyond them. */
  inferred: Move[]
  /** What is wrong with the token, in words. */
  problem: string | undefined
}

/** What a move of an asset is, but for who moved how much. */
type Asset = Pick<Move, 'kind' | 'token' | 'tokenId'>

/**
 * Compares the moves of one asset with what its holders really gained. Claims become moves where they explain a balance; what
 * nothing explains is inferred.
 */
export function reconcile(
  moves: readonly Move[],
  balances: ReadonlyMap<Address, BalancePair>,
  asset: Asset,
): Reconciled {
  const certain = moves.filter(({ isClaim }) => !isClaim)
  const left = new Map<Address, bigint>()
  for (const [holder, { before, after }] of balances) left.set(holder, after - before)
  for (const move of certain)
    for (const holder of new Set([move.from, move.to])) {
      const rest = holder === undefined ? undefined : left.get(holder)
      if (holder !== undefined && rest !== undefined) left.set(holder, rest - gainOf(move, holder))
    }
  const kept = new Map(certain.map((move) => [move, move]))
  const claimed = moves.filter(({ isClaim }) => isClaim)
  const claims: Move[] = []
  const told = new Map<string, Move[]>()
  if (claimed.length > 0) for (const move of certain) addTo(told, whatOf(move), move)
  for (const claim of claimed) {
    const same = told.get(whatOf(claim))?.pop()
    if (same) kept.set(same, { ...same, isWrap: true })
    else claims.push(claim)
  }
  for (const claim of trueClaims(claims, left)) kept.set(claim, { ...claim, isClaim: false, isWrap: true })
  const isOff = [...left.values()].some((amount) => amount !== 0n)
  if (!isOff) return { kept, inferred: [], problem: undefined }
  const isStill = [...balances.values()].every(({ before, after }) => before === after)
  if (isStill && certain.length > 0)
    return { kept: new Map(), inferred: [], problem: 'its events tell of moves, and balanceOf of none' }
  const problem = certain.length > 0 ? 'its balances changed by other amounts than its events tell' : undefined
  return { kept, inferred: inferredFrom(left, asset), problem }
}

/** What a move tells of: the same for an event of a transfer and a claim of it. */
const whatOf = ({ type, from, to, amount }: Move) => [type, from, to, amount].join(' ')

function addTo<Key>(lists: Map<Key, Move[]>, key: Key, move: Move): void {
  const list = lists.get(key)
  if (list) list.push(move)
  else lists.set(key, [move])
}

/** The claims that are part of what their holders gained or lost, which is taken off: all of a holder's, or those that fit. */
function trueClaims(claims: readonly Move[], left: Map<Address, bigint>): Move[] {
  const byHolder = new Map<Address, Move[]>()
  for (const claim of claims) addTo(byHolder, (claim.to ?? claim.from) as Address, claim)
  return [...byHolder].flatMap(([holder, ofHolder]) => {
    const open = left.get(holder)
    if (open === undefined) return []
    const sum = ofHolder.reduce((all, claim) => all + gainOf(claim, holder), 0n)
    if (sum === open) {
      left.set(holder, 0n)
      return ofHolder
    }
    return ofHolder.filter((claim) => {
      const [rest, gain] = [left.get(holder) as bigint, gainOf(claim, holder)]
      const isPart = gain > 0n ? rest >= gain : rest <= gain
      if (isPart) left.set(holder, rest - gain)
      return isPart
    })
  })
}

/** Moves from those who lost to those who gained, the largest first; the rest was minted or burned. */
export function inferredFrom(left: ReadonlyMap<Address, bigint>, asset: Asset): Move[] {
  const bySize = (a: { amount: bigint }, b: { amount: bigint }) =>
    a.amount < b.amount ? 1 : a.amount > b.amount ? -1 : 0
  const of = (sign: bigint) =>
    [...left]
      .map(([address, amount]) => ({ address, amount: amount * sign }))
      .filter(({ amount }) => amount > 0n)
      .sort(bySize)
  const [losers, winners] = [of(-1n), of(1n)]
  const moves: Move[] = []
  const add = (type: Move['type'], from: Address | undefined, to: Address | undefined, amount: bigint) =>
    moves.push({ ...asset, type, from, to, amount, isWrap: false, inferred: true, frame: undefined, isClaim: false })
  for (const winner of winners) {
    while (winner.amount > 0n && losers[0]) {
      const amount = losers[0].amount < winner.amount ? losers[0].amount : winner.amount
      add('transfer', losers[0].address, winner.address, amount)
      winner.amount -= amount
      losers[0].amount -= amount
      if (losers[0].amount === 0n) losers.shift()
    }
    if (winner.amount > 0n) add('mint', undefined, winner.address, winner.amount)
  }
  for (const { address, amount } of losers) add('burn', address, undefined, amount)
  return moves
}
