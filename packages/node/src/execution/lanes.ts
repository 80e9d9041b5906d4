import type { Engine as OneEngine } from '@understudy/evm'
import type { Clock, Timer } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'

/** Maximum number of long runs of clients in this thread, each on its own engine. */
const laneLimit = 3
/** Maximum number of long runs that wait for a lane. */
const waitLimit = 10_000
/** How long idle engines are kept. */
const idleMs = 10_000

/** Where a long run runs: sealing and clients have lanes in this thread, and clients have lanes in others. */
export type Site = 'network' | 'here' | 'elsewhere'

/** A site for one long run at a time. The engines of other threads are not here. */
export type Lane<Run> = { engine: OneEngine | undefined; job: Run | undefined; site: Site }

export type LongRun = {
  /** Its client. */
  turn: object | string | symbol
  site: Site
  /** The lane that it has; the last one, if it has left it. */
  lane: Lane<LongRun> | undefined
}

export type Lanes<Run> = {
  /** Begins the run when it has a lane. Throws `LIMIT_EXCEEDED` if too many wait. */
  wait(run: Run): void
  /** Frees the lane of a run, if it has one. */
  leave(run: Run): void
  engines(): OneEngine[]
  /** Keeps no idle engines from now on. */
  stop(): void
}

type Needs<Run> = {
  createLane: () => OneEngine
  /** The number of lanes in other threads. */
  elsewhere: number
  clock: Clock
  begin(run: Run): void
}

/** Assigns lanes to long runs, fairly among clients. */
export function createLanes<Run extends LongRun>({ createLane, elsewhere, clock, begin }: Needs<Run>): Lanes<Run> {
  const limits: Record<Site, number> = { network: 1, here: laneLimit, elsewhere }
  const lanes: Lane<LongRun>[] = []
  const waiting: Run[] = []
  let idle: Timer | undefined
  let isStopped = false

  /** Assigns lanes to waiting runs: first to the client with the fewest, and never all lanes of a site to one client. */
  function assign(): void {
    const held = ({ turn, site }: Run) => lanes.filter(({ job }) => job?.turn === turn && job.site === site).length
    for (;;) {
      const candidates = waiting.filter((run) => held(run) < Math.max(1, limits[run.site] - 1))
      const run = candidates.sort((a, b) => held(a) - held(b)).find(({ site }) => freeLane(site))
      const lane = run && freeLane(run.site)
      if (!lane) return
      waiting.splice(waiting.indexOf(run), 1)
      idle?.cancel()
      lane.job = run
      run.lane = lane
      begin(run)
    }
  }

  function freeLane(site: Site): Lane<LongRun> | undefined {
    const same = lanes.filter((lane) => lane.site === site)
    const free = same.find(({ job }) => !job)
    if (free || same.length >= limits[site]) return free
    const lane = { engine: site === 'elsewhere' ? undefined : createLane(), job: undefined, site }
    lanes.push(lane)
    return lane
  }

  return {
    wait(run) {
      if (waiting.length >= waitLimit)
        throw new NetworkError('LIMIT_EXCEEDED', { what: 'too many long runs wait for others', limit: waitLimit })
      waiting.push(run)
      assign()
    },
    leave(run) {
      const { lane } = run
      if (lane?.job !== run) return
      lane.job = undefined
      assign()
      if (lanes.some(({ job }) => job)) return
      idle?.cancel()
      if (isStopped) lanes.splice(0)
      else idle = clock.after(idleMs, () => lanes.splice(0))
    },
    engines: () => lanes.flatMap(({ engine }) => engine ?? []),
    stop() {
      isStopped = true
      idle?.cancel()
    },
  }
}
