import type { Address } from '@understudy/evm'
import type { RunIndex, Stop } from './runIndex.ts'

/** A line of a file. */
export type LineOf = { file: string; line: number }

/** A slot of a contract, or any slot of it. */
export type WatchedSlot = { address: Address; slot: bigint | undefined }

/**
 * Where to go from an operation. `in`: the next line, also of another function. `over`: the next line of this function, or of
 * its caller. `out`: its caller. `opcode`: the next operation. `until`: the first of some events, or the end.
 */
export type Move =
  | { type: 'in' | 'over' | 'out' | 'opcode' | 'end' }
  | { type: 'step'; step: number }
  | ({ type: 'until' } & Events)

/** What a run stops before: lines, writes of slots, calls of contracts and creations, failures. */
export type Events = {
  lines: readonly LineOf[]
  writes: readonly WatchedSlot[] | 'all'
  calls: boolean
  reverts: boolean
}

/** Why it is there. `end` and `start`: there is nothing further. */
export type Reason = 'step' | 'line' | 'write' | 'call' | 'revert' | 'end' | 'start'

export type Arrival = { step: number; reason: Reason }

/** Where a move ends. `isBack`: it goes back in time. */
export function moved(index: RunIndex, from: number, move: Move, isBack: boolean): Arrival {
  const last: Arrival = isBack ? { step: 0, reason: 'start' } : { step: index.steps - 1, reason: 'end' }
  const arrived = (step: number | undefined): Arrival => (step === undefined ? last : { step, reason: 'step' })
  switch (move.type) {
    case 'end':
      return last
    case 'step':
      return { step: Math.min(move.step, index.steps - 1), reason: 'step' }
    case 'opcode':
      return isBack ? arrived(from > 0 ? from - 1 : undefined) : arrived(from + 1 < index.steps ? from + 1 : undefined)
    case 'until':
      return firstEvent(index, from, move, isBack) ?? last
    default:
      return arrived(nextLine(index, from, move.type, isBack))
  }
}

/** The first operation of the next line to stop at. */
function nextLine(index: RunIndex, from: number, type: 'in' | 'over' | 'out', isBack: boolean): number | undefined {
  const here = index.stop(index.stopAt(from))
  const isWanted = (stop: Stop) => stop.location > 0 && (type === 'in' || isOutside(index, here, stop, type))
  const found = findStop(index, from, isBack, isWanted)
  if (found === undefined) return undefined
  return index.stop(isBack && type !== 'in' ? lineStart(index, found) : found).step
}

/** Whether a stop is in another line of the function, or in a caller of it. */
function isOutside(index: RunIndex, here: Stop, stop: Stop, type: 'over' | 'out'): boolean {
  if (stop.frame !== here.frame) return index.depthOf(stop.frame) <= index.depthOf(here.frame)
  return stop.calls < here.calls || (type === 'over' && stop.calls === here.calls && stop.location !== here.location)
}

/** The stop at which the line of another one began: what it called lies between them. */
function lineStart(index: RunIndex, at: number): number {
  const line = index.stop(at)
  let start = at
  for (let each = at - 1; each >= 0 && index.stop(start).isResumed; each--) {
    const stop = index.stop(each)
    if (stop.frame !== line.frame || stop.calls > line.calls) continue
    if (stop.calls < line.calls || stop.location !== line.location) break
    start = each
  }
  return start
}

function findStop(
  index: RunIndex,
  from: number,
  isBack: boolean,
  isWanted: (stop: Stop) => boolean,
): number | undefined {
  const step = isBack ? -1 : 1
  for (let at = index.stopAt(from) + (isBack ? 0 : 1); at >= 0 && at < index.stops; at += step) {
    const stop = index.stop(at)
    // Nothing ran there: a frame without code, or one that was left at once.
    if (at + 1 < index.stops && index.stop(at + 1).step === stop.step) continue
    if ((isBack ? stop.step < from : stop.step > from) && stop.step < index.steps && isWanted(stop)) return at
  }
  return undefined
}

function firstEvent(
  index: RunIndex,
  from: number,
  { lines, writes, calls, reverts }: Events,
  isBack: boolean,
): Arrival | undefined {
  const found: Arrival[] = []
  const isAhead = (step: number) => (isBack ? step < from : step > from)
  const isWatched = ({ address, slot }: { address: Address; slot: bigint }) =>
    writes === 'all' ||
    writes.some((each) => each.address === address && (each.slot === undefined || each.slot === slot))
  const written = index.writes.filter((write) => isAhead(write.step) && isWatched(write))
  const write = isBack ? written.at(-1) : written[0]
  if (write) found.push({ step: write.step, reason: 'write' })
  const call = calls ? index.callNear(from, isBack) : undefined
  if (call !== undefined) found.push({ step: call, reason: 'call' })
  const before = index.failures.lastAtMost(isBack ? from - 1 : from)
  const failure = isBack ? before : before + 1
  if (reverts && failure >= 0 && failure < index.failures.length)
    found.push({ step: index.failures.at(failure), reason: 'revert' })
  // An event of the operation itself says more than its line, which is last of those that are as near.
  const line = lines.length > 0 ? findStop(index, from, isBack, isAnyOf(index, lines)) : undefined
  if (line !== undefined) found.push({ step: index.stop(line).step, reason: 'line' })
  return found.sort((a, b) => (isBack ? b.step - a.step : a.step - b.step)).at(0)
}

/** Whether a stop begins one of the lines. */
function isAnyOf(index: RunIndex, lines: readonly LineOf[]): (stop: Stop) => boolean {
  const wanted = new Set(lines.map(({ file, line }) => `${line}:${file}`))
  const numbers = new Set(
    index.locations.flatMap((location, number) =>
      location && wanted.has(`${location.line}:${location.file}`) ? [number] : [],
    ),
  )
  return ({ location, isResumed }) => !isResumed && numbers.has(location)
}
