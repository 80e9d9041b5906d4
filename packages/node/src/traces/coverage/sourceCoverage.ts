import type { CodeLines } from '../../contracts/codeLines.ts'
import { hasBit, type ReachedBits } from './reachedCodes.ts'

/** Coverage of a source file. */
export type FileCoverage = {
  path: string
  /** Whether each line with code was reached, by its number from 1. */
  lines: Map<number, boolean>
  /** By name, with the contract. Overloads are one. */
  functions: Map<string, FunctionCoverage>
  /** By where the condition begins, in bytes: its line, and whether it went on and whether it jumped. */
  branches: Map<number, { line: number; outcomes: [boolean, boolean] }>
}

export type FunctionCoverage = {
  /** Where it begins. */
  line: number
  isEntered: boolean
  /** Whether its body was reached, which decides; `undefined` without a body. Optimised functions share instructions outside of their bodies. */
  isBodyReached: boolean | undefined
}

export type Ratio = { reached: number; total: number }
export type Totals = { lines: Ratio; branches: Ratio; functions: Ratio }

const op = { stop: 0x00, jump: 0x56, jumpIf: 0x57, jumpDestination: 0x5b, push1: 0x60 }
/** After them, a block begins; see `ReachedCode`. */
const endsBlock = new Set([op.jumpIf, 0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa])
/** What is after them does not run, unless something jumps to it. */
const endsRun = new Set([op.stop, op.jump, 0xf3, 0xfd, 0xfe, 0xff])
/** In longer codes, jumps may not be told of. */
const longCode = 40_000

/** Adds the instructions of a code to the files that they come from. `bits`: nothing was reached without. */
export function addCode(
  files: Map<string, FileCoverage>,
  code: Uint8Array,
  lines: CodeLines,
  bits?: ReachedBits,
): void {
  const isReachedBlock = (pc: number) => bits !== undefined && hasBit(bits.blocks, pc)
  let isReached = false
  let begins = true
  let push: { size: number; target: number } | undefined
  for (const { pc, location, isHead, condition } of lines.instructions()) {
    const instruction = code[pc] as number
    if (begins || instruction === op.jumpDestination) isReached = isReachedBlock(pc)
    if (location?.function !== undefined) {
      const file = fileOf(files, location.file)
      const isBody = !isHead && !location.isEntry
      addFunction(file, location.function, {
        line: location.line,
        isEntered: isReached,
        isBodyReached: isBody ? isReached : undefined,
      })
      if (isBody) file.lines.set(location.line, isReached || (file.lines.get(location.line) ?? false))
      if (instruction === op.jumpIf && condition !== undefined) {
        const branch = file.branches.get(condition) ?? { line: location.line, outcomes: [false, false] as const }
        const hasJumped = bits !== undefined && isReached && jumped(bits, pc, push, code.length)
        const outcomes: [boolean, boolean] = [
          branch.outcomes[0] || (isReached && isReachedBlock(pc + 1)),
          branch.outcomes[1] || hasJumped,
        ]
        file.branches.set(condition, { line: branch.line, outcomes })
      }
    }
    begins = endsBlock.has(instruction)
    if (endsRun.has(instruction)) isReached = false
    push = pushOf(code, pc)
  }
}

function addFunction({ functions }: FileCoverage, name: string, { line, isEntered, isBodyReached }: FunctionCoverage) {
  const known = functions.get(name)
  if (!known) {
    functions.set(name, { line, isEntered, isBodyReached })
    return
  }
  known.line = Math.min(known.line, line)
  known.isEntered ||= isEntered
  if (isBodyReached !== undefined) known.isBodyReached = isBodyReached || (known.isBodyReached ?? false)
}

/** Whether a JUMPI has jumped, with what was pushed before it. */
function jumped(bits: ReachedBits, pc: number, push: { size: number; target: number } | undefined, length: number) {
  if (hasBit(bits.jumps, pc)) return true
  const isTold = push?.size === 2 && length <= longCode
  return push !== undefined && !isTold && hasBit(bits.blocks, push.target)
}

function pushOf(code: Uint8Array, pc: number): { size: number; target: number } | undefined {
  const size = (code[pc] as number) - op.push1 + 1
  if (size < 1 || size > 4) return undefined
  let target = 0
  for (let at = 1; at <= size; at++) target = target * 256 + (code[pc + at] ?? 0)
  return { size, target }
}

function fileOf(files: Map<string, FileCoverage>, path: string): FileCoverage {
  const known = files.get(path)
  if (known) return known
  const made: FileCoverage = { path, lines: new Map(), functions: new Map(), branches: new Map() }
  files.set(path, made)
  return made
}

/** Adds the files of a contract to those of others. */
export function addFiles(into: Map<string, FileCoverage>, from: Iterable<FileCoverage>): void {
  for (const { path, lines, functions, branches } of from) {
    const file = fileOf(into, path)
    for (const [line, isReached] of lines) file.lines.set(line, isReached || (file.lines.get(line) ?? false))
    for (const [name, function_] of functions) addFunction(file, name, function_)
    for (const [at, { line, outcomes }] of branches) {
      const known = file.branches.get(at)?.outcomes ?? [false, false]
      file.branches.set(at, { line, outcomes: [outcomes[0] || known[0], outcomes[1] || known[1]] })
    }
  }
}

export function totalsOf(files: Iterable<FileCoverage>): Totals {
  const totals: Totals = { lines: zero(), branches: zero(), functions: zero() }
  const count = (ratio: Ratio, isReached: boolean) => {
    ratio.total++
    if (isReached) ratio.reached++
  }
  for (const { lines, functions, branches } of files) {
    for (const isReached of lines.values()) count(totals.lines, isReached)
    for (const { isBodyReached, isEntered } of functions.values()) count(totals.functions, isBodyReached ?? isEntered)
    for (const { outcomes } of branches.values()) for (const taken of outcomes) count(totals.branches, taken)
  }
  return totals
}

const zero = (): Ratio => ({ reached: 0, total: 0 })
