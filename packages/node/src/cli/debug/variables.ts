import type { Result } from '@understudy/client/methods'
import type { DebugProtocol } from '@vscode/debugprotocol'
import type { DebugEntry, DebugPosition, DebugRun } from './debugRun.ts'

type Variables = Result<'dev_debugVariables'>
type StorageEntry = NonNullable<Variables['entry']>
type LocalVariable = Variables['locals']['entries'][number]

/** What a data breakpoint watches. */
export type Slot = { address: string; slot: string }

/** A value in a tree of values. */
export type Shown = {
  name: string
  value: string
  type?: string | undefined
  /** What finds it again, as `evaluate` takes it. */
  path?: string | undefined
  /** Of storage that a data breakpoint can watch. */
  slot?: Slot | undefined
  parts?: Parts | undefined
}

/** Loads the parts of a value when they are opened. */
export type Parts = () => Promise<Shown[]> | Shown[]

/** Entries that are read at a time. */
const pageSize = 200

/** The scopes of a function of the stack; `level` counts from the innermost one, which is 0. */
export function scopesOf(run: DebugRun, level: number): (Shown & { parts: Parts })[] {
  const { position } = run
  const entry = entryOf(run, level)
  const isInnermost = entry.call === position.stack[0]?.call
  const scope = (name: string, parts: Parts) => ({ name, value: '', parts })
  return [
    scope('Local variables', () => localVariables(run, level)),
    scope('State variables', () => stateVariables(run, level)),
    scope('Call', () => callFacts(entry, position)),
    ...(isInnermost ? [scope('Machine', () => machineOf(position))] : []),
    ...(position.writes.length > 0 ? [scope('Storage written', () => writesOf(position))] : []),
  ]
}

/** Throws if there is no such function. */
function entryOf({ position: { stack } }: DebugRun, level: number): DebugEntry {
  const entry = stack[level]
  if (!entry) throw new Error(`there is no stack frame ${level + 1} here`)
  return entry
}

/**
 * The value of a variable or of a part of one, such as `amount` or `users[3].name`, in a function of the stack. A local
 * variable hides a state variable of its name. Throws `RemoteError` if there is none.
 */
export async function evaluate(run: DebugRun, level: number, expression: string): Promise<Shown> {
  const { entry, address, isKnown, locals } = await run.variables({ level, path: expression })
  const [local] = locals.entries
  if (local) return shownLocal(run, level, local)
  if (entry) return shownEntry(run, level, address, entry)
  throw new Error(isKnown ? `no variable is named ${expression}` : unknownLayout)
}

const unknownLayout = 'the contract was not imported with its storage layout (understudy push --storage-layout)'

/** The arguments, return values and variables of a function that are in scope. */
async function localVariables(run: DebugRun, level: number): Promise<Shown[]> {
  const { locals } = await run.variables({ level, limit: 1 })
  const shown = locals.entries.map((each) => shownLocal(run, level, each))
  return locals.problem === null ? shown : [...shown, { name: 'others', value: locals.problem }]
}

function shownLocal(run: DebugRun, level: number, { name, path, type, value, length, problem, parts }: LocalVariable) {
  const shown: Shown = { name: name || path, path, type, value: value ?? problem ?? summaryOf(type, length) }
  if (parts === null) return shown
  return { ...shown, parts: () => localParts(run, level, path) }
}

/** The parts of a local variable. */
async function localParts(run: DebugRun, level: number, path: string, cursor?: string): Promise<Shown[]> {
  const { locals } = await run.variables({ level, path, limit: pageSize, cursor: cursor ?? null })
  const { entries = [], next = null } = locals.entries[0]?.parts ?? {}
  const shown = entries.map((each) => shownLocal(run, level, each as LocalVariable))
  return next === null ? shown : [...shown, more(() => localParts(run, level, path, next))]
}

const summaryOf = (type: string, length: string | null) => (length === null ? type : `${type}, ${length} long`)

const more = (parts: Parts): Shown => ({ name: 'more', value: 'the next ones', parts })

/** The state variables of the contract of a function, or the parts of one at a path. */
async function stateVariables(run: DebugRun, level: number, path?: string, cursor?: string): Promise<Shown[]> {
  const query = { level, path: path ?? null, limit: pageSize, cursor: cursor ?? null }
  const { isKnown, address, entries, next } = await run.variables(query)
  if (!isKnown) return [{ name: 'unknown', value: unknownLayout }]
  const shown = entries.map((each) => shownEntry(run, level, address, each))
  return next === null ? shown : [...shown, more(() => stateVariables(run, level, path, next))]
}

function shownEntry(run: DebugRun, level: number, address: string, entry: StorageEntry): Shown {
  const { name, path, type, value, length, slot, bytes } = entry
  // The others are in several slots, and mappings and lists in those of their parts.
  const isWord = bytes <= 32 && length === null && !type.startsWith('mapping')
  const shown = { name, type, path, slot: isWord ? { address, slot } : undefined }
  if (value !== null) return { ...shown, value }
  return { ...shown, value: summaryOf(type, length), parts: () => stateVariables(run, level, path) }
}

function callFacts({ contract, address, function: name, call }: DebugEntry, { gas, stack }: DebugPosition): Shown[] {
  const isInnermost = stack[0]?.call === call
  return [
    { name: 'contract', value: contract ?? 'not imported' },
    { name: 'address', value: address },
    { name: 'function', value: name ?? 'unknown' },
    { name: 'call', value: `${call + 1}` },
    ...(isInnermost ? [{ name: 'gas left', value: `${gas}` }] : []),
  ]
}

function machineOf({ step, pc, opcode, cost, depth, error, message, machine }: DebugPosition): Shown[] {
  const { stack, memory, calldata, returnData } = machine
  const data = (name: string, { data: hex, size }: { data: string; size: number }): Shown => ({
    name,
    value: hex.length === 2 + size * 2 ? hex : `${hex}…`,
    type: `${size} bytes`,
  })
  const words = () => stack.toReversed().map((word, index) => ({ name: `[${index}]`, value: word }))
  return [
    { name: 'operation', value: `${step}: ${opcode}`, type: `at ${pc}, depth ${depth}, ${cost} gas` },
    ...(error === null ? [] : [{ name: 'fails', value: message ?? error }]),
    { name: 'stack', value: `${stack.length} words`, ...(stack.length > 0 && { parts: words }) },
    data('memory', memory),
    data('calldata', calldata),
    data('returned', returnData),
  ]
}

const writesOf = ({ writes }: DebugPosition): Shown[] =>
  writes.map(({ address, slot, value, step }) => ({
    name: `${address}[${BigInt(slot) < 2n ** 64n ? BigInt(slot) : slot}]`,
    value,
    type: `written by operation ${step}`,
    slot: { address, slot },
  }))

/** Numbers values for the editor; they last until the run moves. */
export class References {
  readonly #loaders: Parts[] = []
  readonly #loaded = new Map<number, Shown[]>()

  clear(): void {
    this.#loaders.length = 0
    this.#loaded.clear()
  }

  /** 0 for a value without parts. */
  add(parts: Parts | undefined): number {
    return parts ? this.#loaders.push(parts) : 0
  }

  /** `undefined` if there is no such reference. */
  async load(reference: number): Promise<Shown[] | undefined> {
    const loader = this.#loaders[reference - 1]
    if (!loader) return undefined
    const shown = this.#loaded.get(reference) ?? (await loader())
    this.#loaded.set(reference, shown)
    return shown
  }

  describe({ name, value, type, path, parts }: Shown): DebugProtocol.Variable {
    return {
      name,
      value,
      ...(type !== undefined && { type }),
      ...(path !== undefined && { evaluateName: path }),
      variablesReference: this.add(parts),
    }
  }
}
