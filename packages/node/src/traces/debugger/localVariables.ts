import type { VariableTable } from '@understudy/client/artifacts'
import { type CallFrame, isCreation, type Step } from '@understudy/evm'
import type { CodeLines } from '../../contracts/codeLines.ts'
import { decodeInput } from '../../contracts/decode.ts'
import type { KnownContracts } from '../../contracts/knownContracts.ts'
import { argumentWordsOf, functionOf, type LocatedVariable, scopeOf } from '../../contracts/locals/scope.ts'
import { ValueReader } from '../../contracts/locals/values.ts'
import { NotAValueError } from '../../contracts/locals/words.ts'
import { type PathStep, parsePath } from '../../contracts/storageLayout/path.ts'
import { StorageQueryError } from '../../contracts/storageLayout/storageItem.ts'
import type { StorageQuery } from '../../contracts/storageLayout/storageReader.ts'
import { NetworkError } from '../../shared/errors.ts'
import { hexFromBytes } from '../../shared/hex.ts'
import { callStackAt, type StackLevel } from './callStack.ts'
import { LocalValues, type LocalVariable, problemOf, readPointer } from './localValues.ts'
import type { MachineReplay } from './machineReplay.ts'
import { inputLimit } from './position.ts'
import type { RunIndex } from './runIndex.ts'
import type { CallStorage } from './stateVariables.ts'

/** The arguments, return values and variables of a function that are in scope. */
export type LocalVariables = {
  /** Why none are known, as a text for people. */
  problem: string | undefined
  /** With a path: only the one at its end; none if it does not begin at one of them. */
  entries: LocalVariable[]
}

/** A function of the stack at an operation. */
export type Level = { stack: readonly StackLevel[]; at: number; frame: number }

const withoutTree =
  'not known: the contract was imported without its syntax tree, which Hardhat keeps, and Foundry with forge build --build-info'
const elsewhere = 'not known in initial values of state variables, and code that the compiler adds'
const several = 'not known: the modifier is used more than once'
const optimized = 'not known in optimised code'

/** Finds a function by its level (0: the innermost one) or its call. Throws `INVALID_PARAMS`. */
export function levelOf(
  index: RunIndex,
  step: number,
  { call, level }: { call: number | undefined; level: number | undefined },
): Level {
  const stack = callStackAt(index, step)
  if (level !== undefined && level >= stack.length)
    throw new NetworkError('INVALID_PARAMS', {
      field: 'level',
      problem: `expected at most ${stack.length - 1}, the outermost function of the stack`,
    })
  const at = level ?? (call === undefined ? 0 : stack.findIndex(({ frame }) => frame === call))
  return { stack, at, frame: stack[at]?.frame ?? (call as number) }
}

type Where = {
  /** Of the code of the function. */
  lines: CodeLines | undefined
  replay: MachineReplay
  index: RunIndex
  step: number
  level: Level
  storage: CallStorage
}

/** Reads the local variables of a function. Throws `INVALID_PARAMS` if a path leads nowhere in one of them. */
export async function loadLocalVariables(
  where: Where,
  query: StorageQuery,
  abis: KnownContracts,
): Promise<LocalVariables> {
  const { lines, index, level } = where
  const { stack, at, frame } = level
  if (at < 0) return { problem: 'not known: the call is not on the stack', entries: [] }
  if (lines?.locals) return loadDeclared(where, lines, lines.locals, query)
  const isOutermost = stack[at + 1]?.frame !== frame
  const entries = isOutermost ? await loadArguments(index.frames[frame] as CallFrame, abis) : []
  return { problem: withoutTree, entries: query.path === undefined ? entries : [] }
}

async function loadDeclared(
  where: Where,
  lines: CodeLines,
  table: VariableTable,
  query: StorageQuery,
): Promise<LocalVariables> {
  const { replay, index, step, level } = where
  const { frame, calls } = level.stack[level.at] as StackLevel
  const { machineStep, pc } = machineOf(index, step, level)
  const operation = await replay.alone(machineStep)
  const begun = await bottomOf(where, lines, table, { frame, calls })
  const newest = lines.variableAt(pc ?? operation.pc)
  const scope = begun && scopeOf(table, newest, begun.function)
  if (!scope) {
    const own = functionOf(table, newest)
    const isSeveral = begun !== undefined && table.uses?.some(([used]) => used === own)
    return { problem: table.code === 'plain' ? (isSeveral ? several : elsewhere) : optimized, entries: [] }
  }
  const steps = query.path === undefined ? undefined : parsePath(query.path)
  const [first, ...rest] = steps ?? []
  const known = new Map(scope.variables.filter(({ role }) => role !== 'hidden').map((each) => [each.name, each]))
  known.delete('')
  const wanted = steps ? [known.get(first?.text ?? '')].filter((each) => each !== undefined) : [...known.values()]
  const enteredAt = table.code === 'optimized' ? begun.enteredAt : undefined
  const started = enteredAt === undefined ? undefined : await replay.alone(enteredAt)
  const reading = { table, bottom: begun.height, operation, started, input: index.frames[frame]?.input, where }
  const entries: LocalVariable[] = []
  for (const variable of wanted.slice(0, shownLimit)) entries.push(await read(reading, variable, rest, query))
  return { problem: undefined, entries }
}

/**
 * The function that was entered, the constructor that a creation begins with, or the fallback or receive function that a call
 * came to, and where its arguments are.
 */
type Bottom = {
  /** Its position in the table. */
  function: number
  /** The words on the stack below its arguments; `undefined` where that is not known. */
  height: number | undefined
  /** Its first operation; `undefined` for those that no jump leads to. */
  enteredAt: number | undefined
}

async function bottomOf(
  { replay, index, step }: Where,
  lines: CodeLines,
  table: VariableTable,
  { frame, calls }: { frame: number; calls: number },
): Promise<Bottom | undefined> {
  const entry = index.entryOf(frame, calls, step)
  if (entry) {
    const lastArgument = lines.variableAt(entry.pc)
    const words = argumentWordsOf(table, lastArgument)
    const entered = functionOf(table, lastArgument)
    const height = words === undefined ? undefined : entry.stackSize - words
    return entered === undefined ? undefined : { function: entered, height, enteredAt: entry.step }
  }
  if (calls > 0) return undefined
  const call = index.frames[frame] as CallFrame
  if (isCreation(call)) {
    const lowest = table.lowestConstructor
    return lowest === undefined ? undefined : { function: lowest, height: 0, enteredAt: undefined }
  }
  const lastArgument = (call.input.length === 0 ? table.receive : undefined) ?? table.fallback
  const unnamed = lastArgument === undefined ? undefined : functionOf(table, lastArgument)
  const first = index.firstLineOf(frame)
  if (lastArgument === undefined || unnamed === undefined || first === undefined) return undefined
  const words = argumentWordsOf(table, lastArgument)
  // Below its arguments is perhaps the selector that no function has.
  const height = words === undefined ? undefined : (await replay.alone(first)).stack.length - words
  return { function: unnamed, height, enteredAt: undefined }
}

/** The most variables of a function that are shown. */
const shownLimit = 200

/** At which operation to look at the machine, and where the function is then; `pc`: if it called another one. */
function machineOf(index: RunIndex, step: number, { stack, at, frame }: Level): { machineStep: number; pc?: number } {
  const { calls } = stack[at] as StackLevel
  let inner = index.stop(index.stopAt(step)).frame
  let machineStep = step
  for (; inner !== frame && inner >= 0; inner = index.parentOf(inner)) {
    // The call itself, before it runs.
    machineStep = index.beginOf(inner) - 1
  }
  const next = stack[at - 1]
  const called = next?.frame === frame ? index.entryOf(frame, calls + 1, step) : undefined
  return called ? { machineStep, pc: called.callerPc } : { machineStep }
}

type Reading = {
  table: VariableTable
  /** The words on the stack below the lowest variable. */
  bottom: number | undefined
  operation: Step
  /** When the function was entered, of optimised code. */
  started: Step | undefined
  input: Uint8Array | undefined
  where: Where
}

async function read(
  { table, bottom, operation, started, input, where }: Reading,
  variable: LocatedVariable,
  steps: readonly PathStep[],
  query: StorageQuery,
): Promise<LocalVariable> {
  const { name, type, location } = variable
  const role = variable.role as LocalVariable['role']
  const label = table.types[type]?.label ?? ''
  const named = { path: name, name, role }
  try {
    const words = wordsOf(variable, bottom, table.code, { operation, started })
    if (location === 'storage') return await readPointer(named, label, words[0] as bigint, where.storage, query)
    const machine = { memory: operation.memory, calldata: input ?? new Uint8Array(0) }
    const reader = new ValueReader(table.types, machine)
    return new LocalValues(reader).at(named, type, reader.pointerOf(location, words), steps, query)
  } catch (error) {
    if (error instanceof StorageQueryError)
      throw new NetworkError('INVALID_PARAMS', { field: 'path', problem: error.message }, { cause: error })
    const short = label.replace(/^(struct|enum|contract) /, '')
    const problem = problemOf(error)
    return { ...named, type: short, value: undefined, length: undefined, problem, parts: undefined }
  }
}

/** The words of a variable on the stack. Throws `NotAValueError`. */
function wordsOf(
  { role, offset, words, isFixed }: LocatedVariable,
  bottom: number | undefined,
  code: VariableTable['code'],
  { operation, started }: { operation: Step; started: Step | undefined },
): bigint[] {
  const isKept = code === 'plain' || (started !== undefined && role === 'argument' && isFixed === true)
  if (!isKept) throw new NotAValueError(optimized)
  if (offset === undefined || bottom === undefined || bottom < 0)
    throw new NotAValueError('not known: what is below it on the stack is not')
  const stack = (started ?? operation).stack.slice(bottom + offset, bottom + offset + words)
  if (stack.length < words) throw new NotAValueError('not known: it is not on the stack')
  return stack
}

/** What a call passed, as far as the ABI is known. */
async function loadArguments({ to, input }: CallFrame, abis: KnownContracts): Promise<LocalVariable[]> {
  const abi = (await abis.load([to])).get(to)?.abi
  const { args = [] } = decodeInput(abi, hexFromBytes(input.subarray(0, inputLimit))) ?? {}
  return args.map(({ name, type, value }) => ({
    path: name,
    name,
    type,
    role: 'argument',
    value: typeof value === 'string' ? value : JSON.stringify(value),
    length: undefined,
    problem: undefined,
    parts: undefined,
  }))
}
