import type { IndexedLocation, RunIndex } from './runIndex.ts'

/** A function that has not returned. */
export type StackLevel = {
  /** The position of its call in the calls of the run. */
  frame: number
  /** The functions of its call that have not returned, with itself. */
  calls: number
  /** `undefined` where the location is not known. */
  location: IndexedLocation | undefined
}

/** The most locations that are shown: recursion may be deep. */
export const stackLimit = 200

/** The functions that are open at an operation, innermost first: at least one for each call of a contract. */
export function callStackAt(index: RunIndex, step: number): StackLevel[] {
  const entries: StackLevel[] = []
  let at = index.stopAt(step)
  for (let frame = index.stop(at).frame; frame >= 0 && entries.length < stackLimit; frame = index.parentOf(frame)) {
    const begin = index.beginOf(frame)
    let wanted = Number.POSITIVE_INFINITY
    let isShown = false
    for (; at >= 0 && wanted > 0 && entries.length < stackLimit; at--) {
      const stop = index.stop(at)
      if (stop.step < begin) break
      if (stop.frame !== frame || stop.calls >= wanted) continue
      wanted = stop.calls
      if (stop.location === 0) continue
      entries.push({ frame, calls: stop.calls, location: index.locations[stop.location] })
      isShown = true
    }
    if (!isShown) entries.push({ frame, calls: 0, location: undefined })
    // Its caller is before its first operation.
    const caller = index.parentOf(frame)
    while (at > 0 && index.stop(at).frame !== caller) at--
  }
  return entries
}
