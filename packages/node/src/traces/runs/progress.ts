import { type Address, replayEvents, type StateView, type TracedRun } from '@understudy/evm'
import type { CodeLines, CodeLocation } from '../../contracts/codeLines.ts'
import { emptyCodeHash } from '../../ethereum/constants.ts'

const op = { extCodeSize: 0x3b, jump: 0x56, jumpIf: 0x57, revert: 0xfd, invalid: 0xfe }
const calls = [0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa]
const watched = new Set([...Object.values(op), ...calls])
const withTop = new Set([op.extCodeSize, op.jump, op.jumpIf])

export type Mark = { pc: number; isOfUtility: boolean }

/** `entered`: the function that it jumped to, if that is one of the source. */
export type Jump = { pc: number; to: bigint | undefined; mark: Mark | undefined; entered: CodeLocation | undefined }

/** How far a frame came. Numbers are program counters. */
export type Progress = {
  /** The operation that was noted last: a jump, a call, or the one that failed. */
  pc: number
  /** The last call, with the mark and the jumps before it. */
  call: Pick<Progress, 'pc' | 'mark' | 'jumps'> | undefined
  /** Where the function was for sure: at its last branch, or at the last call that returned to it. */
  mark: Mark | undefined
  /** The jumps into the functions that have not returned, the outermost first. */
  jumps: Jump[]
  /** The account whose missing code Solidity was just shown. */
  withoutCode: Address | undefined
}

/** Calls of Solidity are at most this deep: a map that is wrong may never return. */
const jumpLimit = 2000

/** Runs the message again, and notes how far the frames of the path came. */
export async function follow(
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
        else if (at.lines && (operation === op.jump || operation === op.jumpIf))
          noteJump(of, at.lines, pc, stack.at(-1))
      },
    },
    { operations: watched, stack: withTop, words: 1, memory: false },
  )
  return progress
}

function noteJump(of: Progress, lines: CodeLines, pc: number, destination: bigint | undefined): void {
  const jump = lines.jumpAt(pc)
  if (jump === 'in') {
    if (of.jumps.length < jumpLimit)
      of.jumps.push({ pc, to: destination, mark: of.mark, entered: enteredAt(lines, destination) })
    of.mark = undefined
  } else if (jump === 'out') {
    const from = of.jumps.pop()
    of.mark = from === undefined ? undefined : { pc: from.pc, isOfUtility: lines.at(pc)?.function === undefined }
  } else if (lines.near(pc)) of.mark = { pc, isOfUtility: false }
}

function enteredAt(lines: CodeLines, destination: bigint | undefined): CodeLocation | undefined {
  const location = destination === undefined ? undefined : lines.at(Number(destination))
  return location?.isEntry ? location : undefined
}

/** The address in a word, if it has no code. */
function accountWithoutCode(word: bigint | undefined, view: StateView): Address | undefined {
  if (word === undefined) return undefined
  const address: Address = `0x${BigInt.asUintN(160, word).toString(16).padStart(40, '0')}`
  const account = view.account(address)
  return account === undefined || account.codeHash === emptyCodeHash ? address : undefined
}
