import type { ScopedVariable, VariableTable, VariableType } from '@understudy/client/artifacts'

/** A variable with its location: so many words above the lowest argument; `undefined` where that is not known. */
export type LocatedVariable = ScopedVariable & { words: number; offset: number | undefined }

/** The variables of a function or modifier that are on the stack at an instruction, the oldest first. */
export type Scope = {
  /** The position of the function in the table. */
  root: number
  variables: LocatedVariable[]
}

/** The most variables and uses that are looked at to find a location, and the deepest location: contracts have far fewer. */
const visitLimit = 1_000_000
const depthLimit = 200

/** `at`: the position in the table of a variable. `undefined` for one of no function. */
export function functionOf(table: VariableTable, at: number): number | undefined {
  return chainOf(table, at)?.[0]
}

/** The words of all arguments of a function; `undefined` where a type is not known. `newest`: its last argument. */
export function argumentWordsOf(table: VariableTable, newest: number): number | undefined {
  return wordsOfAll(table, chainOf(table, newest)?.slice(1) ?? [])
}

/**
 * The variables in scope where `newest` is the newest of them, in a run of a function: its own, or those of a modifier or
 * constructor that was put into it. `undefined` where none are known, or it is not certain that they are there.
 */
export function scopeOf(table: VariableTable, newest: number, function_: number): Scope | undefined {
  const [root, ...chain] = chainOf(table, newest) ?? []
  const below = root === undefined ? undefined : new Below(table, function_).wordsOf(root)
  if (root === undefined || below === undefined) return undefined
  let offset = below.words
  const variables = chain.map((at): LocatedVariable => {
    const variable = table.variables[at] as ScopedVariable
    const words = wordsOf(table, variable)
    const located = { ...variable, words: words ?? 0, offset: words === undefined ? undefined : offset }
    offset = words === undefined || offset === undefined ? undefined : offset + words
    return located
  })
  return { root, variables }
}

/** A function, and its variables up to one of them, by their positions. */
function chainOf({ variables }: VariableTable, newest: number): number[] | undefined {
  const chain: number[] = []
  for (let at = newest; variables[at] && chain.length < visitLimit; at = variables[at]?.parent ?? -1) chain.push(at)
  chain.reverse()
  return variables[chain[0] ?? -1]?.role === 'function' ? chain : undefined
}

/** What is on the stack below the variables of a function or modifier, from the lowest argument of a function on. */
class Below {
  readonly #table: VariableTable
  readonly #function: number
  readonly #known = new Map<number, { words: number | undefined } | undefined>()
  #visited = 0

  constructor(table: VariableTable, function_: number) {
    this.#table = table
    this.#function = function_
  }

  /** `undefined` if it is in none, or in several locations of the function. `words`: `undefined` where a type is not known. */
  wordsOf(root: number, depth = 0): { words: number | undefined } | undefined {
    if (root === this.#function) return { words: 0 }
    if (depth > depthLimit) return undefined
    if (this.#known.has(root)) return this.#known.get(root)
    this.#known.set(root, undefined)
    const found: { words: number | undefined }[] = []
    for (const [used, above] of this.#table.uses ?? []) {
      this.#visited++
      if (used !== root) continue
      if (this.#visited > visitLimit) return undefined
      const [outer, ...chain] = chainOf(this.#table, above) ?? []
      this.#visited += chain.length
      const below = outer === undefined ? undefined : this.wordsOf(outer, depth + 1)
      if (!below) continue
      const own = wordsOfAll(this.#table, chain)
      found.push({ words: own === undefined || below.words === undefined ? undefined : below.words + own })
    }
    const [only, second] = found
    const location = second === undefined ? only : undefined
    this.#known.set(root, location)
    return location
  }
}

function wordsOfAll(table: VariableTable, chain: readonly number[]): number | undefined {
  let sum = 0
  for (const at of chain) {
    const words = wordsOf(table, table.variables[at] as ScopedVariable)
    if (words === undefined) return undefined
    sum += words
  }
  return sum
}

/** What a variable takes on the stack, in words. */
function wordsOf({ types }: VariableTable, { type: position, location }: ScopedVariable): number | undefined {
  const type: VariableType | undefined = types[position]
  if (!type) return undefined
  if (type.kind === 'other') return type.words
  // Where it begins, and how long it is.
  const isCounted = type.kind === 'text' || (type.kind === 'array' && type.length === undefined)
  return location === 'calldata' && isCounted ? 2 : 1
}
