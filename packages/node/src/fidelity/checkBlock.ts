import type { Address, BlockContext, Done, Fork, Message, Missing, Rejected, StateDiff, Word } from '@understudy/evm'
import type { BlockReplay } from '../chain/history/blockReplay.ts'
import { emptyCodeHash } from '../ethereum/constants.ts'
import { runToEnd } from '../execution/run.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Engine } from '../shared/engine.ts'
import { emptyDiff, mergeDiff } from '../state/diff.ts'
import type { Overlay } from '../state/overlay.ts'
import { type LoadingView, mergeWanted } from '../state/view.ts'
import { applyDiff, beginTransaction, changesOf } from '../traces/runs/runBlock.ts'
import { wordOf } from '../upstream/changes/accessLists.ts'
import { type LikelyCause, likelyCause } from './cause.ts'
import { differenceOf, type RunDifference } from './difference.ts'
import type { LiveBlock, Prestate } from './liveBlock.ts'
import type { SeededView } from './seededView.ts'

export type TransactionDifference = RunDifference & LikelyCause & { hash: Word }

export type CheckedTransactions = {
  /** What came about, in order; `undefined` for a type that is not run here. */
  results: (Done | Rejected | undefined)[]
  /** What each changed of the state, with what was set right after it. */
  changes: StateDiff[]
  differences: TransactionDifference[]
}

/** What earlier transactions of a check showed. */
export type Suspects = {
  /** The forks that explained a difference, and how many more may be searched for one. */
  forks: Set<Fork>
  searches: number
  /** A transaction to an account without code came out as there: the chain charges for nothing but what runs. */
  transfersAgree: boolean
  /** Transactions whose code uses other gas, which no fork explains. */
  repriced: Set<Word>
}

/** The cause of those that are repriced, where transfers agree. */
export const otherPrice: LikelyCause = {
  cause: 'rule',
  explanation:
    'What its code runs has another price there than here, and than in any fork that is known: transactions without code use the same gas. See rules.pricing of dev_getNetworkInfo.',
}

type Needs = { engine: Engine; time: ComputingTime; suspects: Suspects; signal: AbortSignal | undefined }

/** Runs the first transactions of a block of the live chain, each on the state after those before it. */
export async function checkTransactions(
  { receipts, prestates }: LiveBlock,
  replay: BlockReplay,
  seeded: SeededView,
  { engine, time, suspects, signal }: Needs,
): Promise<CheckedTransactions> {
  const { block, state, transactions } = replay
  const results: CheckedTransactions['results'] = []
  const changes: StateDiff[] = []
  const differences: TransactionDifference[] = []
  let isDisturbed = false
  const load = (view: LoadingView) => loadTogether(transactions, block, view, { engine, time }, signal)
  // Some nodes leave out slots that are zero.
  if (prestates) seeded.onFirstLoad = () => load(seeded.seededWith(prestates))
  else await load(state)
  for (const [index, transaction] of transactions.entries()) {
    const { hash, message } = transaction
    const prestate = prestates?.[index]
    if (prestate) seeded.seed(prestate)
    const other = prestate && differingState(state, prestate)
    const changed = emptyDiff()
    changes.push(changed)
    if (isDisturbed && other) {
      applyDiff(engine, state, other.diff)
      mergeDiff(changes[index - 1] ?? emptyDiff(), other.diff)
      isDisturbed = false
    }
    if (!message) {
      results.push(undefined)
      isDisturbed = true
      continue
    }
    beginTransaction(state, transaction)
    const runWith = (context: BlockContext) =>
      runToEnd(engine, message, context, state, { kind: 'transaction', time }, signal)
    const result = await runWith(block)
    const receipt = receipts[index] ?? {}
    const difference = differenceOf(result, receipt)
    results.push(result)
    const runsCode = message.to === undefined || state.account(message.to)?.codeHash !== emptyCodeHash
    if (!difference && !runsCode) suspects.transfersAgree = true
    if (difference) {
      const searched = suspects.searches-- > 0 ? undefined : suspects.forks
      const cause = await likelyCause({
        fork: block.fork,
        result,
        difference,
        isDisturbed,
        otherState: other?.texts ?? [],
        candidates: searched,
        agreesWith: async (changed) => differenceOf(await runWith({ ...block, ...changed }), receipt) === undefined,
        hasMovedPrecompiles: block.precompiles !== undefined,
      })
      if (cause.fork) suspects.forks.add(cause.fork)
      differences.push({ hash, ...difference, ...cause })
      if (runsCode && difference.field === 'gasUsed' && cause.cause === 'unknown') suspects.repriced.add(hash)
      isDisturbed = true
    }
    if (result.type !== 'done') continue
    const diff = await changesOf(replay, transaction, result)
    applyDiff(engine, state, diff)
    mergeDiff(changed, diff)
  }
  return { results, changes, differences }
}

/** How many rounds load what the transactions of a block read, before they run one by one. */
const roundLimit = 6

/**
 * Loads what the transactions read, as far as it shows on the state before the block: all of them together, so that it
 * takes as many round trips as the longest chain of pointers, not as all of them.
 */
async function loadTogether(
  transactions: BlockReplay['transactions'],
  block: BlockContext,
  state: LoadingView,
  { engine, time }: Pick<Needs, 'engine' | 'time'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  let open = transactions.flatMap(({ message }) => (message ? [message] : []))
  for (let round = 0; round < roundLimit && open.length > 0; round++) {
    const missing: { message: Message; keys: Missing }[] = []
    for (const message of open) {
      signal?.throwIfAborted()
      // A call, because nonces and balances are those before the block.
      const result = await engine.run(message, block, state, { kind: 'call', time })
      if (result.type === 'missing') missing.push({ message, keys: result })
    }
    if (missing.length === 0) return
    await state.load(mergeWanted(missing.map(({ keys }) => keys)), signal)
    open = missing.map(({ message }) => message)
  }
}

/** Where a transaction found other values there than here: as text, and as the change that sets it right. */
function differingState(state: Overlay, prestate: Prestate): { diff: StateDiff; texts: string[] } {
  const diff = emptyDiff()
  const texts: string[] = []
  for (const [address, before] of Object.entries(prestate) as [Address, Prestate[Address]][]) {
    const account = state.account(address)
    if (!account) continue
    const balance = BigInt(before.balance ?? account.balance)
    const nonce = BigInt(before.nonce ?? 0)
    if (balance !== account.balance) texts.push(`balance of ${address} ${balance}, not ${account.balance}`)
    if (nonce !== account.nonce) texts.push(`nonce of ${address} ${nonce}, not ${account.nonce}`)
    if (balance !== account.balance || nonce !== account.nonce) diff.accounts.set(address, { balance, nonce })
    for (const [key, value] of Object.entries(before.storage ?? {})) {
      const slot = wordOf(key)
      const here = state.storage(address, slot)
      if (here === undefined || here === BigInt(value)) continue
      texts.push(`slot ${slot} of ${address} ${BigInt(value)}, not ${here}`)
      const slots = diff.slots.get(address) ?? new Map<Word, bigint>()
      diff.slots.set(address, slots.set(slot, BigInt(value)))
    }
  }
  return { diff, texts }
}
