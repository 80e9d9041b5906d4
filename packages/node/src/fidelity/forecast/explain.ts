import type { BlockContext, CallFrame, Done, Message } from '@understudy/evm'
import type { ComputingTime } from '../../shared/budget/computingTime.ts'
import type { Engine } from '../../shared/engine.ts'
import type { LoadingView } from '../../state/view.ts'
import type { GasProfiles } from '../../traces/gas/gasProfiles.ts'
import { runTraced } from '../../traces/runs/runTraced.ts'
import { followTo, type Locate, namedFrame } from './callSites.ts'
import { type Comparison, causeOf, withGas } from './effect.ts'
import { calledBy, type Finding } from './functionTally.ts'

/** How many runs may be replayed for the rest of a forecast, and what those before them found. */
export type ExplainLimits = { replays: number; profiles: number; explained: Map<string, Explained | undefined> }

export type Explained = Omit<Finding, 'transactions' | 'transaction'>

type Run = { message: Message; block: BlockContext; later: BlockContext; state: LoadingView; time: ComputingTime }

type Compared = { now: Done; compared: Comparison }

/** Says why a transaction has its effect, and in which line. */
export type Explain = (run: Run, about: Compared, limits: ExplainLimits) => Promise<Explained | undefined>

type Needs = { engine: Engine; locate: Locate; gasProfiles: Pick<GasProfiles, 'compare'> }

export function createExplain({ engine, locate, gasProfiles }: Needs): Explain {
  const traced = ({ state: view, time }: Run, message: Message, block: BlockContext, kind: 'transaction' | 'call') =>
    runTraced(engine, { message, block, view, kind, time })

  /** Runs again what shows the failure. Which code names an amount of gas shows only now. */
  async function explainFailure(run: Run, { now, compared }: Compared): Promise<Explained> {
    const { effect, cause, reason, shown, shownLimit, broken } = compared
    const about = { effect: effect ?? 'fails', cause: cause ?? 'other', reason, gas: undefined } as const
    const { message, later } = run
    if (shown.type !== 'done' || broken === undefined) {
      const first = await traced(run, message, run.block, 'transaction')
      return { ...about, location: await locate(first, 0, undefined) }
    }
    const isSame = shownLimit === message.gasLimit
    const again = isSame
      ? await traced(run, message, later, 'transaction')
      : await traced(run, withGas(message, shownLimit), later, 'call')
    const followed = await followTo(again, broken)
    const { path, sites, last } = followed
    const exact = effect === 'fails' ? causeOf(shown, broken, namedFrame(followed, now, shown)) : compared
    const given = exact.given
    const caller = given === undefined ? undefined : path[path.indexOf(given) - 1]
    if (given !== undefined && caller !== undefined) {
      const isFixed = exact.cause === 'stipend' || exact.cause === 'fixed gas'
      const gas = isFixed ? (shown.frames[given] as CallFrame).gas : undefined
      const location = await locate(again, caller, sites.get(given)?.pc)
      return { ...about, cause: exact.cause ?? 'other', gas, location }
    }
    // A frame whose code did not run failed in its caller.
    const end = last === undefined ? path.at(-2) : broken
    const pc = last ?? sites.get(broken)?.pc
    return { ...about, cause: exact.cause ?? 'other', location: await locate(again, end ?? broken, pc) }
  }

  /** The line whose price rises most. */
  async function explainPrice(run: Run): Promise<Explained | undefined> {
    const before = await traced(run, run.message, run.block, 'transaction')
    const after = await traced(run, run.message, run.later, 'transaction')
    const { lines } = await gasProfiles.compare(before, after)
    const line = lines.find(({ a, b }) => b > a)
    if (!line) return undefined
    const { a, b, ...location } = line
    return { effect: 'costs more', cause: 'price', reason: undefined, gas: b - a, location }
  }

  return async (run, about, limits) => {
    const { effect, cause, broken, shown } = about.compared
    if (effect === undefined || effect === 'logs') return undefined
    const called = about.now.frames[0] as CallFrame
    const frame = broken === undefined || shown.type !== 'done' ? undefined : shown.frames[broken]
    const key = [
      effect,
      cause,
      called.to,
      calledBy(called),
      broken,
      frame?.to,
      frame?.gas === about.now.frames[broken ?? 0]?.gas,
    ].join()
    if (limits.explained.has(key)) return limits.explained.get(key)
    const left = effect === 'costs more' ? 'profiles' : 'replays'
    if (limits[left]-- <= 0) return undefined
    const explained = effect === 'costs more' ? await explainPrice(run) : await explainFailure(run, about)
    limits.explained.set(key, explained)
    return explained
  }
}
