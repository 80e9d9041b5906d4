import type { Done, Rejected, StateDiff, Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import { checkTransactions } from '../fidelity/checkBlock.ts'
import type { LiveBlock } from '../fidelity/liveBlock.ts'
import { SeededView } from '../fidelity/seededView.ts'
import { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Engine } from '../shared/engine.ts'
import type { Overlay } from '../state/overlay.ts'

/** What the transactions of a block of the live chain do on its own state, by our engine. */
export type LiveRun = {
  /** The live chain's state before its transactions. */
  state: Overlay
  /** By position; `undefined` for a type that is not run here. */
  results: readonly (Done | Rejected | undefined)[]
  /** What each changed. */
  changes: readonly StateDiff[]
  /** Why a transaction does not come out here as there. */
  unreproducible: ReadonlyMap<Word, string>
}

/** A block has at most some hundred million gas: seconds. */
const limitMs = 600_000
/** How many transactions of a block that do not reproduce are run by other rules to find out why. */
const searchLimit = 3

type Needs = { history: Pick<History, 'replayOf'>; engine: Engine }

/** Runs a block of the live chain on the live chain's state, which takes the values of its traces where there are some. */
export async function runLive(live: LiveBlock, { history, engine }: Needs, signal: AbortSignal): Promise<LiveRun> {
  let seeded: SeededView | undefined
  const replay = history.replayOf(live.raw, (view) => {
    seeded = new SeededView(view)
    return seeded
  })
  const checked = await checkTransactions(live, replay, seeded as SeededView, {
    engine,
    time: new ComputingTime(limitMs),
    suspects: { forks: new Set(), searches: searchLimit, transfersAgree: false, repriced: new Set() },
    signal,
  })
  const unreproducible = new Map(
    checked.differences.map(({ hash, field, here, upstream, explanation }) => [
      hash,
      `${field} is ${here} here, and ${upstream} there. ${explanation}`,
    ]),
  )
  const { state } = history.replayOf(live.raw, () => seeded as SeededView)
  return { state, results: checked.results, changes: checked.changes, unreproducible }
}
