import type { Address, Done, Word } from '@understudy/evm'
import { createBoundedCache } from '../../shared/caches.ts'
import { addressFromWord, hexFromBytes, wordFromBigint } from '../../shared/hex.ts'
import type { LoadingView } from '../../state/view.ts'
import type { RunKnowledge } from './known.ts'
import type { Move } from './moves.ts'
import type { PlacedFrame } from './run.ts'

/** An asset, the moves of it that were seen, and the accounts whose balance may have changed. */
export type AssetGroup = {
  token: Address
  kind: 'erc20' | 'erc721' | 'erc1155'
  /** Of an ERC-1155. */
  tokenId: bigint | undefined
  moves: Move[]
  holders: Set<Address>
}

/** Maximum number of assets of a call whose balances are compared, and of holders of each. */
const groupLimit = 100
const holderLimit = 50
/** Lower slots are declared variables; hashes are higher. */
const smallestHash = 1n << 128n
/** Lower numbers in the key of a mapping are slots and indexes; `0x…dead` has balances. */
const smallestAddress = 1n << 12n
/** How deep mappings are nested at most. */
const depthLimit = 4

/** `balanceOf(address)`. */
const balanceOf = Buffer.from('70a08231', 'hex')
const askable = createBoundedCache<Word, { is: boolean }>(5000)

type Run = Pick<Done, 'diff' | 'preimages'> & { placed: readonly PlacedFrame[]; knowledge: RunKnowledge }

/**
 * The assets that moved, or may have: events tell of some, and others are contracts with a `balanceOf` whose storage changed. The
 * keys of the mappings that changed are the holders.
 */
export function groupsOf(
  moves: readonly Move[],
  { diff, preimages, placed, knowledge }: Run,
  { before, after }: { before: LoadingView; after: LoadingView },
): { groups: AssetGroup[]; isWhole: boolean } {
  const groups = new Map<string, AssetGroup>()
  const groupOf = (token: Address, kind: AssetGroup['kind'], tokenId?: bigint) => {
    const key = `${token} ${kind} ${tokenId ?? ''}`
    const group = groups.get(key) ?? { token, kind, tokenId, moves: [], holders: new Set<Address>() }
    groups.set(key, group)
    return group
  }
  for (const move of moves) {
    if (move.kind === 'native' || move.token === undefined) continue
    const group = groupOf(move.token, move.kind, move.kind === 'erc1155' ? move.tokenId : undefined)
    group.moves.push(move)
    for (const holder of [move.from, move.to]) if (holder !== undefined) group.holders.add(holder)
  }
  const seen = new Map<Address, AssetGroup[]>()
  for (const group of groups.values()) {
    const known = seen.get(group.token)
    if (known) known.push(group)
    else seen.set(group.token, [group])
  }
  for (const [address, slots] of diff.slots) {
    const changed = [...slots].flatMap(([slot, value]) => (before.storage(address, slot) === value ? [] : [slot]))
    if (changed.length === 0) continue
    const own = seen.get(address) ?? []
    if (own.some(({ kind }) => kind === 'erc1155')) continue
    if (own.length === 0 && !hasBalances(address, after, knowledge)) continue
    const holders = holdersIn(changed, preimages, () => namedIn(address, placed))
    if (holders.size === 0) continue
    const group = own[0] ?? groupOf(address, 'erc20')
    for (const holder of holders) group.holders.add(holder)
  }
  const all = [...groups.values()]
  const isWhole = all.length <= groupLimit && all.every(({ holders }) => holders.size <= holderLimit)
  for (const group of all) group.holders = new Set([...group.holders].slice(0, holderLimit))
  return { groups: all.slice(0, groupLimit), isWhole }
}

/** Whether the code of a contract, or what it runs, has the selector of `balanceOf`. */
function hasBalances(address: Address, view: LoadingView, knowledge: RunKnowledge): boolean {
  return [address, ...knowledge.implementationsOf(address)].some((one) => {
    const hash = view.account(one)?.codeHash
    if (hash === undefined) return false
    const known = askable.get(hash)
    if (known) return known.is
    const code = view.code(one, hash)
    if (!code) return false
    const is = Buffer.from(code.buffer, code.byteOffset, code.length).includes(balanceOf)
    askable.set(hash, { is })
    return is
  })
}

/** The addresses that are keys of the mappings of slots, or that calls of the contract name where a slot has no such key. */
function holdersIn(slots: readonly Word[], preimages: Done['preimages'], named: () => Iterable<Address>): Set<Address> {
  const holders = new Set<Address>()
  const visit = (hash: Word, depth: number) => {
    const preimage = preimages?.get(hash)
    if (preimage?.length !== 64 || depth > depthLimit) return
    // Solidity hashes the key first, Vyper the slot.
    for (const half of [preimage.subarray(0, 32), preimage.subarray(32)]) {
      const word = hexFromBytes(half)
      const value = BigInt(word)
      if (value >= smallestAddress && value < 1n << 160n) holders.add(addressFromWord(word))
      else if (value >= smallestHash) visit(word, depth + 1)
    }
  }
  let isOpaque = false
  for (const slot of slots) {
    if (preimages?.has(slot)) visit(slot, 0)
    else if (BigInt(slot) >= smallestHash) isOpaque = true
  }
  if (isOpaque) for (const address of named()) holders.add(address)
  return holders
}

/** The callers of a contract, and the addresses among the first arguments of calls. */
function* namedIn(address: Address, placed: readonly PlacedFrame[]): Generator<Address> {
  for (const { frame, status } of placed) {
    if (frame.to !== address || status !== 'succeeded' || frame.type !== 'CALL') continue
    yield frame.from
    for (let at = 4; at + 32 <= frame.input.length && at < 4 + 4 * 32; at += 32) {
      const value = BigInt(hexFromBytes(frame.input.subarray(at, at + 32)))
      if (value >= smallestAddress && value < 1n << 160n) yield addressFromWord(wordFromBigint(value))
    }
  }
}
