import type { Address, Done } from '@understudy/evm'
import { emptyCodeHash } from '../../ethereum/constants.ts'
import type { MaybePromise } from '../../shared/async/maybePromise.ts'
import { createPace } from '../../shared/yieldToEventLoop.ts'
import type { LoadingView } from '../../state/view.ts'
import { approvalChange, approvalLimit, approvalsOf, askApproval, type SetApproval } from './approvals.ts'
import { type AssetGroup, groupsOf } from './holders.ts'
import type { RunKnowledge } from './known.ts'
import { gainOf, type Move, movesOf } from './moves.ts'
import type { ApprovalChange, AssetChange, BalanceChange, TouchedToken } from './outcome.ts'
import { type BalancePair, inferredFrom, reconcile } from './reconcile.ts'
import { type PlacedFrame, type RunEvent, shownLimit } from './run.ts'
import { shownOf, withWraps } from './shownAssets.ts'
import { type Answer, callData, type StateReads, wordOf } from './stateReads.ts'
import { allOf, type TokenFacts, type TokenFactsReader } from './tokens.ts'

export type AssetOutcome = Pick<AssetsOf, 'assetChanges' | 'balanceChanges' | 'approvals'> & {
  tokens: ReadonlyMap<Address, TouchedToken>
  truncated: string[]
}

type AssetsOf = { assetChanges: AssetChange[]; balanceChanges: BalanceChange[]; approvals: ApprovalChange[] }

export type AssetRun = {
  result: Done
  placed: readonly PlacedFrame[]
  events: readonly RunEvent[]
  knowledge: RunKnowledge
  before: LoadingView
  after: LoadingView
  /** What addresses gained of ether by what was paid for the transaction; negative if they lost. */
  paid: ReadonlyMap<Address, bigint>
}

type Needs = {
  reads: StateReads
  facts: TokenFactsReader
}

/** How long a step may block other requests before they are answered, in milliseconds. */
const sliceMs = 10

/** The moves that a run tells of, without asking anything. Claims count where ether moved as much. */
export async function seenAssets({ result, placed, events }: AssetRun): Promise<AssetOutcome> {
  const sent = new Set(placed.flatMap(({ frame: { from, to, value } }) => [`${from} ${value}`, `${to} ${value}`]))
  const moves = (await movesOf(result, { placed, events })).flatMap((move): Move[] =>
    !move.isClaim
      ? [move]
      : sent.has(`${move.token} ${move.amount}`)
        ? [{ ...move, isClaim: false, isWrap: true }]
        : [],
  )
  return { ...shownOf(withWraps(moves), new Map()), approvals: [], tokens: new Map(), truncated: [] }
}

/** All that moved, and the approvals that were set, compared with what contracts say before and after the run. */
export async function loadAssets(run: AssetRun, needs: Needs): Promise<AssetOutcome> {
  const { result, placed, events, knowledge } = run
  const moves = await movesOf(result, { placed, events })
  const succeeded = result.status === 'success'
  const { groups, isWhole } = succeeded
    ? groupsOf(moves, { ...result, placed, knowledge }, run)
    : { groups: [], isWhole: true }
  const set = succeeded ? approvalsOf(result.logs, placed) : []
  const approvals = set.slice(0, approvalLimit)
  const { tokens, balances, allowances } = await askContracts(run, { groups, approvals }, needs)
  // Each step has all moves of the call. Between them, other requests are answered if it took long.
  const pace = createPace(sliceMs)
  const settled = settleGroups(moves, groups, balances, tokens)
  await pace()
  await addInferred(settled, tokens, run.after, needs)
  const ether = inferredFrom(etherLeft(run, settled), { kind: 'native', token: undefined, tokenId: undefined })
  await pace()
  const shown = new Set([...settled, ...approvals].map(({ token }) => token))
  for (const { token, moves: seen } of groups) if (seen.some(({ isClaim }) => !isClaim)) shown.add(token)
  return {
    ...shownOf(withWraps([...settled, ...ether]), tokens),
    approvals: approvals.flatMap((approval, index) => {
      const { had, has } = allowances[index] as { had: Answer; has: Answer }
      return approvalChange(approval, had, has, tokens)
    }),
    // What looked like wrapping ether may be another kind of contract.
    tokens: new Map([...tokens].filter(([token]) => shown.has(token))),
    truncated: [
      ...(settled.length > shownLimit ? [`asset changes beyond the first ${shownLimit}`] : []),
      ...(isWhole ? [] : ['balances beyond those of the first 100 assets and their first 50 holders']),
      ...(set.length > approvals.length ? [`approvals beyond the first ${approvalLimit}`] : []),
    ],
  }
}

type Balances = ReadonlyMap<AssetGroup, ReadonlyMap<Address, BalancePair>>

/** Asks for balances and approvals before and after a run, and for what the tokens say of themselves, all at once. */
async function askContracts(
  { before, after }: AssetRun,
  { groups, approvals }: { groups: readonly AssetGroup[]; approvals: readonly SetApproval[] },
  { reads, facts }: Needs,
) {
  const kinds = kindsOf(groups, approvals)
  const held = groups.flatMap((group) => [...group.holders].map((holder) => ({ group, holder })))
  const askOf = (view: LoadingView) =>
    allOf([
      ...held.map(({ group, holder }) => askBalance(reads, view, group, holder)),
      ...approvals.map((approval) => askApproval(reads, view, approval)),
    ])
  const beforeRun = askOf(before)
  const afterRun = askOf(after)
  const forAll = approvals.filter(({ type }) => type === 'approveAll').map(({ token }) => token)
  const interfaces = allOf(forAll.map((token) => askInterface(reads, after, token, interfaceIds.erc1155)))
  const described = allOf([...kinds].map(([token, kind]) => facts.load(reads, after, token, kind)))
  const [had, has, supported, factsOf] = await Promise.all([beforeRun, afterRun, interfaces, described])

  for (const [index, token] of forAll.entries())
    if (wordOf(supported[index] as Answer) === 1n) kinds.set(token, 'erc1155')
  const tokens = new Map([...kinds].map(([token, kind], index) => [token, touched(kind, factsOf[index])] as const))
  const balances = new Map<AssetGroup, Map<Address, BalancePair>>()
  for (const [index, { group, holder }] of held.entries()) {
    const pair = pairOf(had[index] as Answer, has[index] as Answer, tokens.get(group.token))
    if (pair) balances.set(group, (balances.get(group) ?? new Map<Address, BalancePair>()).set(holder, pair))
  }
  const allowances = approvals.map((_, index) => ({ had: had[held.length + index], has: has[held.length + index] }))
  return { tokens, balances, allowances }
}

function touched(kind: TouchedToken['kind'], facts: TokenFacts | undefined): TouchedToken {
  const { name, symbol, decimals, problems = [] } = facts ?? {}
  return { kind, name, symbol, decimals, problems: [...problems] }
}

/** Describes tokens that only their balances told of. */
async function addInferred(
  moves: Move[],
  tokens: Map<Address, TouchedToken>,
  view: LoadingView,
  { reads, facts }: Needs,
): Promise<void> {
  const unknown = new Set(moves.flatMap(({ token }) => (token === undefined || tokens.has(token) ? [] : [token])))
  if (unknown.size === 0) return
  const asked = await Promise.all(
    [...unknown].map(async (token) => {
      const collectible = await askInterface(reads, view, token, interfaceIds.erc721)
      const kind = wordOf(collectible) === 1n ? ('erc721' as const) : ('erc20' as const)
      return [token, touched(kind, await facts.load(reads, view, token, kind))] as const
    }),
  )
  for (const [token, description] of asked) tokens.set(token, description)
  for (const move of moves)
    if (move.inferred && move.token !== undefined && unknown.has(move.token))
      move.kind = tokens.get(move.token)?.kind ?? move.kind
}

/** The interfaces of ERC-165, in the high bytes of a word. */
const interfaceIds = { erc721: 0x80ac58cdn << 224n, erc1155: 0xd9b67a26n << 224n }

const askInterface = (reads: StateReads, view: LoadingView, token: Address, id: bigint) =>
  reads.ask(view, token, callData('01ffc9a7', id))

type TokenKinds = Map<Address, TouchedToken['kind']>

/** The tokens that events and calls tell of. */
function kindsOf(groups: readonly AssetGroup[], approvals: readonly SetApproval[]): TokenKinds {
  const kinds: TokenKinds = new Map()
  const seen = groups.filter(({ moves }) => moves.length > 0)
  for (const { token, kind } of [...seen, ...approvals]) if (!kinds.has(token)) kinds.set(token, kind)
  return kinds
}

function askBalance(reads: StateReads, view: LoadingView, { token, kind, tokenId }: AssetGroup, holder: Address) {
  const data = kind === 'erc1155' ? callData('00fdd58e', holder, tokenId ?? 0n) : callData('70a08231', holder)
  return askContract(reads, view, token, data)
}

/** A contract that is not there has no balances. */
const nothing: Answer = { output: new Uint8Array(32), problem: undefined }

function askContract(reads: StateReads, view: LoadingView, to: Address, data: Uint8Array): MaybePromise<Answer> {
  return view.account(to)?.codeHash === emptyCodeHash ? nothing : reads.ask(view, to, data)
}

/** A balance before and after the run; `undefined` if the token does not say it, which is noted once. */
function pairOf(had: Answer, has: Answer, token: TouchedToken | undefined): BalancePair | undefined {
  const [before, after] = [wordOf(had), wordOf(has)]
  if (before !== undefined && after !== undefined) return { before, after }
  const problem = has.problem ?? had.problem ?? 'returned no number'
  const text = `balanceOf() ${problem}`
  if (token && !token.problems.includes(text)) token.problems.push(text)
  return undefined
}

/** All moves in their order, with what was inferred at the end; problems are noted. */
function settleGroups(
  moves: readonly Move[],
  groups: readonly AssetGroup[],
  balances: Balances,
  tokens: ReadonlyMap<Address, TouchedToken>,
): Move[] {
  const replaced = new Map<Move, Move | undefined>()
  const inferred: Move[] = []
  for (const group of groups) {
    const { token, kind, tokenId } = group
    const found = reconcile(group.moves, balances.get(group) ?? new Map(), { kind, token, tokenId })
    for (const move of group.moves) replaced.set(move, found.kept.get(move))
    inferred.push(...found.inferred)
    if (found.problem !== undefined) tokens.get(token)?.problems.push(found.problem)
  }
  const settled = moves.flatMap((move) =>
    replaced.has(move) ? (replaced.get(move) ?? []) : move.isClaim ? [] : [move],
  )
  return [...settled, ...inferred]
}

/** What addresses gained of ether that no call and no fee explains: as by contracts of a chain that have no code. */
function etherLeft({ result, before, paid }: AssetRun, moves: readonly Move[]): Map<Address, bigint> {
  const left = new Map<Address, bigint>()
  const gained = new Map<Address, bigint>()
  for (const move of moves)
    for (const address of new Set([move.from, move.to]))
      if (move.kind === 'native' && address !== undefined)
        gained.set(address, (gained.get(address) ?? 0n) + gainOf(move, address))
  for (const [address, { balance }] of result.diff.accounts) {
    const had = before.account(address)?.balance
    if (balance === undefined || had === undefined) continue
    const rest = balance - had - (gained.get(address) ?? 0n) - (paid.get(address) ?? 0n)
    if (rest !== 0n) left.set(address, rest)
  }
  return left
}
