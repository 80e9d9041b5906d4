import { type CallFrame, type Hex, isCreation, type TracedRun } from '@understudy/evm'
import { bareName, type CodeLines, type CodeLocation } from '../contracts/codeLines.ts'
import { decodeInput } from '../contracts/decode.ts'
import type { CreatedContracts, KnownContract, KnownContracts } from '../contracts/knownContracts.ts'
import type { FailedRunError } from '../execution/revert.ts'
import { hexFromBytes } from '../shared/hex.ts'
import { type Refusal, refusalOf } from './refusals.ts'
import { failedPath } from './runs/failedPath.ts'
import { badAnswerOf, type FailedFrame, hasRun, reasonOf } from './runs/failureReasons.ts'
import { follow, type Mark, type Progress } from './runs/progress.ts'
import { codesOf, type LoadRunLines, type SourceLocation } from './runs/runLines.ts'
import { tracedRunOf } from './runs/tracedRun.ts'

/** A location where a failure went through. `message`: why it failed; `undefined` for its callers. */
export type StackEntry = SourceLocation & { message: string | undefined }

/** Traces failures back to the lines of imported contracts. */
export type StackTraces = {
  /** Innermost first, at most 1000; empty if the run succeeded. */
  of(run: TracedRun): Promise<StackEntry[]>
  /**
   * The same of the run that an error is about, in at most `ms` milliseconds of computing. Empty where no lines are known
   * if only traces with lines are wanted.
   */
  ofFailure(failure: FailedRunError, limits: { ms: number; hasLines: boolean }): Promise<StackEntry[]>
}

/** `isInside`: a function ran, beyond what the dispatcher does for it. */
type LocatedEntry = StackEntry & { isInside: boolean }

/** Maximum number of locations: the innermost. A map that is wrong may have functions that call each other without end. */
const entryLimit = 1000

type Needs = { loadLines: LoadRunLines; abis: KnownContracts; created: CreatedContracts }

export function createStackTraces({ loadLines, abis, created }: Needs): StackTraces {
  /** The contracts of frames by their index. */
  async function loadKnown(frames: readonly CallFrame[], path: readonly number[]) {
    const called = await abis.load(path.map((index) => (frames[index] as CallFrame).to))
    // What a failed run created is nowhere afterwards.
    const creations = new Map(frames.filter(isCreation).map(({ to, input }) => [to, input]))
    const known = new Map<number, KnownContract>()
    for (const index of path) {
      const frame = frames[index] as CallFrame
      const found = isCreation(frame) ? undefined : called.get(frame.to)
      const creation = creations.get(frame.to)
      const contract = found ?? (creation && (await created.load(creation)))
      if (contract) known.set(index, contract)
    }
    return known
  }

  async function traceOf(run: TracedRun, { hasLines }: { hasLines: boolean }): Promise<StackEntry[]> {
    const { frames } = run.result
    const path = failedPath(frames)
    if (path.length === 0) return []
    const lines = await loadLines(run, path)
    if (hasLines && lines.size === 0) return []
    const progress = lines.size > 0 ? await follow(run, path, lines) : new Map<number, Progress>()
    const known = await loadKnown(frames, path)
    const index = path.at(-1) as number
    const frame = frames[index] as CallFrame
    const failed: FailedFrame = {
      index,
      own: known.get(index),
      others: [...known.values()],
      lines: lines.get(index),
      progress: progress.get(index),
    }
    const badAnswer = await badAnswerOf(run, failed)
    const isSilent = badAnswer === undefined && frame.error === 'revert' && frame.output.length === 0
    const refusal =
      isSilent && failed.own !== undefined && (isCreation(frame) || failed.lines)
        ? refusalOf(frame, failed.own, {
            code: await codesOf(run.view, frames)(frame.to),
            isYul: failed.lines?.locals?.code === 'yul',
          })
        : undefined
    let reason = badAnswer ?? reasonOf(frame, failed)
    const locations = path.filter((each) => each === path[0] || hasRun(frames[each] as CallFrame))
    const entries: LocatedEntry[] = []
    for (const each of locations.reverse()) {
      if (entries.length >= entryLimit) break
      // Its caller is where the last call is, and so is a frame that was answered badly.
      const isAtCall = each !== index || badAnswer !== undefined
      const about = { lines: lines.get(each), progress: progress.get(each), contract: known.get(each), isAtCall }
      const own = entriesOf(frames[each] as CallFrame, about)
      const isRefused = each === index && refusal !== undefined && (refusal.isCertain || !own[0]?.isInside)
      if (isRefused) reason = refusal.reason
      entries.push(
        ...(isRefused ? own.slice(0, 1).map((entry) => refusedAt(entry, refusal, keyOf(frame), failed.lines)) : own),
      )
    }
    if (entries[0]) entries[0].message = reason
    return entries.slice(0, entryLimit)
  }

  return {
    of: (run) => traceOf(run, { hasLines: false }),
    async ofFailure({ run, result }, { ms, hasLines }) {
      if (!run) return []
      const time = run.time.atMost(ms)
      return traceOf(
        tracedRunOf({ ...run, time }, result, (steps) => run.runAgain(steps, time)),
        { hasLines },
      )
    },
  }
}

/** What calls a function of a contract: a selector, or its creation. */
const keyOf = (frame: CallFrame): Hex | 'constructor' =>
  isCreation(frame) ? 'constructor' : hexFromBytes(frame.input.subarray(0, 4))

/** The location of a refused call: of the function that was called, or of the contract. Shared code may be mapped to any function. */
function refusedAt(entry: LocatedEntry, refusal: Refusal, key: string, lines: CodeLines | undefined): LocatedEntry {
  const whole = entry.isInside ? lines?.at(0) : entry
  const { function: name } = refusal
  const location = (name === undefined ? undefined : lines?.calledBy(name === 'fallback' ? name : key, name)) ?? whole
  return { ...entry, file: location?.file, line: location?.line, function: location?.function ?? refusal.function }
}

type Frame = {
  lines: CodeLines | undefined
  progress: Progress | undefined
  contract: KnownContract | undefined
  isAtCall: boolean
}

/** The locations of a frame, innermost first; one without a location if its lines are not known. */
function entriesOf(frame: CallFrame, { lines, progress, contract, isAtCall }: Frame): LocatedEntry[] {
  const entry = { address: frame.to, contract: contract?.name, message: undefined }
  const found = lines && progress ? locationsOf(frame, lines, progress, isAtCall) : []
  const inside = found.filter((location) => location.function !== undefined)
  const locations = [...inside, ...calledBefore(inside.at(-1), frame, lines, contract)]
  if (locations.length > 0)
    return locations.map(({ file, line, function: of, isEntry }) => ({
      ...entry,
      function: of,
      file,
      line,
      isInside: !isEntry,
    }))
  const named = isCreation(frame) ? 'constructor' : decodeInput(contract?.abi, hexFromBytes(frame.input))?.name
  const begun = named === undefined ? undefined : lines?.calledBy(keyOf(frame), named)
  const location = begun ?? found[0]
  return [{ ...entry, function: begun?.function ?? named, file: location?.file, line: location?.line, isInside: false }]
}

/** The function that was called, if only what it uses is known: modifiers, and functions that were moved into it. */
function calledBefore(
  outermost: CodeLocation | undefined,
  frame: CallFrame,
  lines: CodeLines | undefined,
  contract: KnownContract | undefined,
): CodeLocation[] {
  const key = keyOf(frame)
  const called = key === 'constructor' ? undefined : contract?.abi.functions.get(key)?.name
  if (!outermost || called === undefined || bareName(outermost.function) === called) return []
  const location = lines?.calledBy(key, called)
  return location ? [{ ...location, isEntry: false }] : []
}

function locationsOf(frame: CallFrame, lines: CodeLines, progress: Progress, isAtCall: boolean): CodeLocation[] {
  const { pc, mark, jumps } = (isAtCall ? progress.call : undefined) ?? progress
  const isExact = !isAtCall && frame.error !== 'revert'
  const first = locationAt(lines, pc, isExact ? undefined : mark, jumps.at(-1)?.entered) ?? lines.at(pc)
  const locations = first ? [first] : []
  const firsts = new Map(jumps.map(({ to }, index) => [to, index] as const).reverse())
  for (const [index, { pc: from, to, mark: before, entered }] of [...jumps.entries()].reverse()) {
    const last = locations.at(-1)
    const location = lines.near(from) ?? (before && lines.near(before.pc)) ?? wholeAt(lines, from, entered ?? last)
    const isRecursion = entered !== undefined && (firsts.get(to) ?? index) < index
    const isOverload = entered !== undefined && entered.function === last?.function
    // The jump was to a utility, or has returned in a way that the map does not tell.
    if (location && location.function === last?.function && !isRecursion && !isOverload) continue
    // A modifier, or what the optimiser moved into the function, is not entered by a jump of its own.
    if (entered && last && entered.function !== last.function) locations.push({ ...entered, isEntry: false })
    if (location) locations.push(location)
  }
  return locations
}

/** Code through Yul names no more of a call in a modifier than the modifier. */
function wholeAt(lines: CodeLines, pc: number, inner: CodeLocation | undefined): CodeLocation | undefined {
  const location = lines.at(pc)
  if (!location?.isEntry || inner?.function === undefined || location.function === inner.function) return undefined
  return { ...location, isEntry: false }
}

/**
 * The location of an instruction. The optimiser shares equal blocks of code between functions, so the map may say where
 * another one of them is. `entered`: the innermost function that a jump led to.
 */
function locationAt(
  lines: CodeLines,
  pc: number,
  mark: Mark | undefined,
  entered: CodeLocation | undefined,
): CodeLocation | undefined {
  const own = lines.near(pc)
  const marked = mark && lines.near(mark.pc)
  if (!own || !marked) return own ?? marked
  // The last branch was in a function that was moved into this one.
  if (entered !== undefined && own.function === entered.function) return own
  if (!mark.isOfUtility) return own.function === marked.function ? own : marked
  // After a utility returned, its caller goes on, if the block is its own.
  return isSame(own, marked) || isSame(lines.blockOf(pc), marked) ? own : marked
}

const isSame = (a: CodeLocation | undefined, b: CodeLocation | undefined) =>
  a?.file === b?.file && a?.line === b?.line && a?.function === b?.function
