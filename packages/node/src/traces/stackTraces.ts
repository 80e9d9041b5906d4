import { type Address, type CallFrame, isCreation, replayEvents, type StateView, type TracedRun } from '@understudy/evm'
import type { CodeLines, CodePlace } from '../contracts/codeLines.ts'
import type { ContractAbi } from '../contracts/contractAbi.ts'
import { decodeInput, decodeRevert } from '../contracts/decode.ts'
import type { KnownContract, KnownContracts } from '../contracts/knownContracts.ts'
import { emptyCodeHash } from '../ethereum/constants.ts'
import { hexFromBytes } from '../shared/hex.ts'
import { failedPath, lastCall } from './failedPath.ts'
import { codesOf, type LoadRunLines, type RunPlace } from './runLines.ts'

/** A place where a failure went through. `message`: why it failed; `undefined` for its callers. */
export type StackEntry = RunPlace & { message: string | undefined }

/** Traces failures back to the lines of imported contracts. */
export type StackTraces = {
  /** Innermost first; empty if the run succeeded. */
  of(run: TracedRun): Promise<StackEntry[]>
}

/** `isInside`: a function ran, beyond what the dispatcher does for it. */
type Placed = StackEntry & { isInside: boolean }

type Needs = { loadLines: LoadRunLines; abis: KnownContracts }

const op = { extCodeSize: 0x3b, jump: 0x56, jumpIf: 0x57, revert: 0xfd, invalid: 0xfe }
const calls = [0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa]
const watched = new Set([...Object.values(op), ...calls])

type Mark = { pc: number; isOfUtility: boolean }

/** How far a frame came. Numbers are program counters. */
type Progress = {
  /** The operation that was noted last: a jump, a call, or the one that failed. */
  pc: number
  /** The last call, with the mark and the jumps before it. */
  call: Pick<Progress, 'pc' | 'mark' | 'jumps'> | undefined
  /** Where the function was for sure: at its last branch, or at the last call that returned to it. */
  mark: Mark | undefined
  /** The jumps into the functions that have not returned, the outermost first. */
  jumps: { pc: number; mark: Mark | undefined }[]
  /** The account whose missing code Solidity was just shown. */
  withoutCode: Address | undefined
}

/** Calls of Solidity are at most this deep: a map that is wrong may never return. */
const jumpLimit = 2000

export function createStackTraces({ loadLines, abis }: Needs): StackTraces {
  return {
    async of(run) {
      const { frames } = run.result
      const path = failedPath(frames)
      if (path.length === 0) return []
      const lines = await loadLines(run, path)
      const progress = lines.size > 0 ? await follow(run, path, lines) : new Map<number, Progress>()
      const known = await abis.load(path.map((index) => (frames[index] as CallFrame).to))
      const innermost = path.at(-1) as number
      const missing = await codelessCallee(run, innermost, progress.get(innermost))
      const entries = path.flatMap((index) => {
        const frame = frames[index] as CallFrame
        // Its caller is where the last call is, and so is a frame whose call reached no code.
        const isAtCall = index !== innermost || missing !== undefined
        return entriesOf(frame, lines.get(index), progress.get(index), { known, isAtCall }).reverse()
      })
      const last = entries.at(-1)
      if (last)
        last.message = missing
          ? `called ${missing}, which has no code`
          : reasonOf(frames[innermost] as CallFrame, last.isInside, known)
      return entries.reverse()
    },
  }
}

/** Runs the message again, and notes how far the frames of the path came. */
async function follow(
  run: TracedRun,
  path: readonly number[],
  lines: ReadonlyMap<number, CodeLines>,
): Promise<Map<number, Progress>> {
  const progress = new Map<number, Progress>()
  const open: { of: Progress; lines: CodeLines | undefined }[] = []
  await replayEvents(
    run,
    {
      enter({ depth }, index) {
        const caller = open[depth - 1]
        if (caller) caller.of.withoutCode = undefined
        const of: Progress = { pc: 0, call: undefined, mark: undefined, jumps: [], withoutCode: undefined }
        if (path.includes(index)) progress.set(index, of)
        open[depth] = { of, lines: lines.get(index) }
      },
      step({ depth, op: operation, pc, stack }) {
        const at = open[depth]
        if (!at) return
        const { of } = at
        of.pc = pc
        if (operation === op.extCodeSize) of.withoutCode = accountWithoutCode(stack.at(-1), run.view)
        else if (calls.includes(operation)) of.call = { pc, mark: of.mark, jumps: [...of.jumps] }
        else if (at.lines && (operation === op.jump || operation === op.jumpIf)) noteJump(of, at.lines, pc)
      },
    },
    { operations: watched, memory: false },
  )
  return progress
}

function noteJump(of: Progress, lines: CodeLines, pc: number): void {
  const jump = lines.jumpAt(pc)
  if (jump === 'in') {
    if (of.jumps.length < jumpLimit) of.jumps.push({ pc, mark: of.mark })
    of.mark = undefined
  } else if (jump === 'out') {
    const from = of.jumps.pop()
    of.mark = from === undefined ? undefined : { pc: from.pc, isOfUtility: lines.at(pc)?.function === undefined }
  } else if (lines.near(pc)) of.mark = { pc, isOfUtility: false }
}

/** The address in a word, if it has no code. */
function accountWithoutCode(word: bigint | undefined, view: StateView): Address | undefined {
  if (word === undefined) return undefined
  const address: Address = `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`
  const account = view.account(address)
  return account === undefined || account.codeHash === emptyCodeHash ? address : undefined
}

/** The places of a frame, innermost first; one without a place if its lines are not known. */
function entriesOf(
  frame: CallFrame,
  lines: CodeLines | undefined,
  progress: Progress | undefined,
  { known, isAtCall }: { known: ReadonlyMap<Address, KnownContract>; isAtCall: boolean },
): Placed[] {
  const { name, abi } = known.get(frame.to) ?? {}
  const entry = { address: frame.to, contract: name, message: undefined }
  const found = lines && progress ? placesOf(frame, lines, progress, isAtCall) : []
  const places = found.filter((place) => place.function !== undefined)
  if (places.length > 0)
    return places.map(({ file, line, function: of, isEntry }) => ({
      ...entry,
      function: of,
      file,
      line,
      isInside: !isEntry,
    }))
  const named = isCreation(frame) ? 'constructor' : functionOf(abi, frame)
  return [{ ...entry, function: named, file: found[0]?.file, line: found[0]?.line, isInside: false }]
}

function placesOf(frame: CallFrame, lines: CodeLines, progress: Progress, isAtCall: boolean): CodePlace[] {
  const { pc, mark, jumps } = (isAtCall ? progress.call : undefined) ?? progress
  const isExact = !isAtCall && frame.error !== 'revert'
  const first = placeAt(lines, pc, isExact ? undefined : mark) ?? lines.at(pc)
  const places = first ? [first] : []
  for (const jump of jumps.toReversed()) {
    const place = lines.near(jump.pc) ?? (jump.mark && lines.near(jump.mark.pc))
    if (place && !isSame(place, places.at(-1))) places.push(place)
  }
  return places
}

/**
 * The place of an instruction. The optimiser shares equal blocks of code between functions, so the map may say where
 * another one of them is.
 */
function placeAt(lines: CodeLines, pc: number, mark: Mark | undefined): CodePlace | undefined {
  const own = lines.near(pc)
  const marked = mark && lines.near(mark.pc)
  if (!own || !marked) return own ?? marked
  if (!mark.isOfUtility) return own.function === marked.function ? own : marked
  // After a utility returned, its caller goes on, if the block is its own.
  return isSame(own, marked) || isSame(lines.blockOf(pc), marked) ? own : marked
}

const isSame = (a: CodePlace | undefined, b: CodePlace | undefined) =>
  a?.file === b?.file && a?.line === b?.line && a?.function === b?.function

function functionOf(abi: ContractAbi | undefined, { input }: CallFrame): string | undefined {
  return decodeInput(abi, hexFromBytes(input))?.name
}

/** Why the innermost frame failed. `isInside`: its dispatcher had called a function. */
function reasonOf(frame: CallFrame, isInside: boolean, known: ReadonlyMap<Address, KnownContract>): string {
  if (frame.error !== undefined && frame.error !== 'revert') return frame.error
  const own = known.get(frame.to)
  if (frame.output.length === 0) return (isInside ? undefined : refusalOf(frame, own)) ?? 'reverted without a reason'
  const output = hexFromBytes(frame.output)
  for (const abi of [own?.abi, ...[...known.values()].map((one) => one.abi)]) {
    const decoded = decodeRevert(abi, output)
    if (decoded) return decoded.reason
  }
  return `reverted with ${output.slice(0, 138)}`
}

/**
 * The account without code that Solidity refused to call, or called last: it returned nothing where something was
 * expected.
 */
async function codelessCallee(
  { view, result: { frames } }: TracedRun,
  index: number,
  progress: Progress | undefined,
): Promise<Address | undefined> {
  const frame = frames[index] as CallFrame
  if (frame.error !== 'revert' || frame.output.length > 0) return undefined
  if (progress?.withoutCode) return progress.withoutCode
  const call = lastCall(frames, index)
  if (!call || call.error !== undefined || call.input.length < 4 || call.output.length > 0) return undefined
  return isCreation(call) || (await codesOf(view, frames)(call.to)).length > 0 ? undefined : call.to
}

/** Why Solidity's dispatcher refuses a call. */
function refusalOf({ input, value }: CallFrame, contract: KnownContract | undefined): string | undefined {
  if (!contract) return undefined
  const { abi, name = 'the contract' } = contract
  const selector = hexFromBytes(input.subarray(0, 4))
  const item = abi.functions.get(selector)
  if (item) return value > 0n && item.stateMutability !== 'payable' ? `${item.name} is not payable` : undefined
  const has = (type: 'fallback' | 'receive') => abi.items.some((one) => one.type === type)
  if (input.length === 0) return has('receive') || has('fallback') ? undefined : `${name} has no receive function`
  return has('fallback') ? undefined : `${name} has no function with the selector ${selector}, and no fallback function`
}
