import { isCondition } from './conditions.ts'
import { Scopes, type Syntax, type VariableTable } from './scopes.ts'
import { functionsOf, type SourceFunction } from './solidityFunctions.ts'

/**
 * Where the instructions of a contract come from in its sources. The maps have an entry for each instruction, separated by
 * `;`: `file:line:function:jump:variable:detail`. `file` and `function` are positions in the lists, `line` counts from 1, and `jump`
 * is `i` into a function and `o` out of it; `variable` is the position of the newest local variable in scope. An empty field
 * has the value of the entry before. Without a source, `file` is -1; outside of functions, `function` is -1; where one is
 * entered, it is -2 less its position; where no variables are known, `variable` is -1. `detail` is the position
 * in `conditions` of a condition that decides between branches, -2 in the head of a function, and -1 elsewhere.
 */
export type LineTable = {
  files: string[]
  functions: string[]
  /** Where each function begins: the position of its file, and its line; `null` where overloads share the name. */
  starts?: ([file: number, line: number] | null)[] | undefined
  /**
   * The function that runs for each selector, and for `constructor`, `fallback` and `receive`, by its positions in the
   * lists and its line. Those that only need the compiler's syntax tree: the code may have no instruction of them.
   */
  called?: Record<string, [function_: number, file: number, line: number]> | undefined
  /** Where conditions begin in their files, in bytes. */
  conditions?: number[] | undefined
  runtime: string
  creation?: string | undefined
  locals?: VariableTable | undefined
}

/** A source by the number that source maps have for it. */
export type NumberedSource = { path: string; content: string }

/** Sources that were read, by their content: contracts of a project share most of them. */
export type ReadSources = Map<string, LineFinder>

type SourceLines = { index: number; lines: LineFinder }

/** The lines of a contract, from the source maps of the compiler; `undefined` without a usable one. With `syntax`, also its local variables. */
export function lineTableOf(
  maps: { runtime: string | undefined; creation?: string | undefined },
  sources: ReadonlyMap<number, NumberedSource>,
  read: ReadSources = new Map(),
  syntax?: Syntax,
): LineTable | undefined {
  if (!maps.runtime) return undefined
  const scopes = syntax && new Scopes(syntax)
  const files = new Map<number, SourceLines>()
  const names: string[] = []
  const functions = new Map<string, number>()
  const starts: ([number, number] | null)[] = []
  const conditions: number[] = []
  const fileOf = (id: number) => {
    const known = files.get(id)
    const source = sources.get(id)
    if (known || !source) return known
    const lines = read.get(source.content) ?? new LineFinder(source.content)
    read.set(source.content, lines)
    const file = { index: names.push(source.path) - 1, lines }
    files.set(id, file)
    return file
  }
  /** The positions of a function and its file, and its line. */
  const begin = (file: SourceLines, { name, start }: SourceFunction): [number, number, number] => {
    const index = functions.get(name) ?? functions.size
    functions.set(name, index)
    const location: [number, number] = [file.index, file.lines.lineAt(start)]
    const known = starts[index]
    starts[index] = known === undefined || String(known) === String(location) ? location : null
    return [index, ...location]
  }
  const resolve = (map: string) =>
    resolved(map, (start, length, id) => {
      const file = fileOf(id)
      const location = file?.lines.find(start, length)
      if (!file || !location) return undefined
      const variable = scopes?.find(id, { start, end: start + length }) ?? -1
      if (!location.function) return [file.index, location.line, -1, variable, -1]
      const { start: first, body, end } = location.function
      const [index] = begin(file, location.function)
      const detail = start < body ? -2 : location.isCondition ? conditions.push(start) - 1 : -1
      return [file.index, location.line, length === end - first ? -2 - index : index, variable, detail]
    })
  const runtime = resolve(maps.runtime)
  const creation = maps.creation ? resolve(maps.creation) : undefined
  const called: LineTable['called'] = {}
  const { contract } = syntax ?? {}
  const parts = contract && syntax ? syntax.trees.calledIn(contract.file, contract.name) : []
  for (const [key, { file: id, start }] of parts) {
    const file = fileOf(id)
    const function_ = file?.lines.find(start, 0)?.function
    if (file && function_?.start === start) called[key] = begin(file, function_)
  }
  return {
    files: names,
    functions: [...functions.keys()],
    starts,
    ...(contract && { called }),
    conditions,
    runtime,
    ...(creation !== undefined && { creation }),
    ...(scopes && { locals: scopes.table }),
  }
}

type LineLocation = readonly [file: number, line: number, function_: number, variable: number, detail: number]

/** Resolves a source map of solc (`start:length:file:jump:modifier`) entry by entry. */
function resolved(
  map: string,
  locationOf: (start: number, length: number, file: number) => LineLocation | undefined,
): string {
  const fields = ['0', '0', '-1', '-']
  const last = ['', '', '', '', '-1', '-1']
  const locations = new Map<string, LineLocation | undefined>()
  return map
    .split(';')
    .map((entry) => {
      entry.split(':').forEach((field, index) => {
        if (field !== '' && index < fields.length) fields[index] = field
      })
      const [start, length, file, jump = '-'] = fields
      const key = `${start}:${length}:${file}`
      if (!locations.has(key)) locations.set(key, locationOf(Number(start), Number(length), Number(file)))
      const [at, line, function_, variable, detail] = locations.get(key) ?? [-1, 0, -1, -1, -1]
      const values = [String(at), String(line), String(function_), jump, String(variable), String(detail)]
      const text = values.map((value, index) => (value === last[index] ? '' : value)).join(':')
      values.forEach((value, index) => {
        last[index] = value
      })
      return text.replace(/:{1,5}$/, '')
    })
    .join(';')
}

/** Finds lines and functions in a source. Offsets count the bytes of its UTF-8. */
export class LineFinder {
  readonly #bytes: string
  readonly #starts: number[] = [0]
  readonly #functions: SourceFunction[]

  constructor(content: string) {
    // One character for each byte.
    this.#bytes = new TextDecoder('latin1').decode(new TextEncoder().encode(content))
    for (let at = this.#bytes.indexOf('\n'); at >= 0; at = this.#bytes.indexOf('\n', at + 1)) this.#starts.push(at + 1)
    this.#functions = functionsOf(this.#bytes)
  }

  /** `undefined` where it is outside of the source. */
  find(
    start: number,
    length: number,
  ): { line: number; function: SourceFunction | undefined; isCondition: boolean } | undefined {
    if (!(start >= 0 && length >= 0 && start + length <= this.#bytes.length)) return undefined
    const end = start + length
    const isPiece = isCondition(this.#bytes.slice(start, end))
    return { line: this.lineAt(start), function: this.#functionAround(start, end), isCondition: isPiece }
  }

  /** Of an offset in the source. Counted from 1. */
  lineAt(offset: number): number {
    let [low, high] = [0, this.#starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] as number) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }

  /** The innermost function that has all of a range. */
  #functionAround(start: number, end: number): SourceFunction | undefined {
    let [low, high] = [0, this.#functions.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#functions[middle] as SourceFunction).start <= start) low = middle + 1
      else high = middle
    }
    let found = this.#functions[low - 1]
    while (found && found.end < end) found = found.outer
    return found
  }
}
