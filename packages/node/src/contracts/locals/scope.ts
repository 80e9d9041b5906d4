import type { ScopedVariable, VariableTable, VariableType } from '@understudy/client'

/** A variable with its place: so many words above the first argument of its function; `undefined` where that is not known. */
export type PlacedVariable = ScopedVariable & { words: number; offset: number | undefined }

/** The variables of a function that are on the stack at an instruction, the oldest first. */
export type Scope = {
  /** The position of the function in the table. */
  root: number
  variables: PlacedVariable[]
  /** The words of its arguments; `undefined` where a type is not known. */
  argumentWords: number | undefined
}

/** `newest`: the position in the table of the newest variable in scope. `undefined` where none is known. */
export function scopeOf(table: VariableTable, newest: number): Scope | undefined {
  const chain: { at: number; variable: ScopedVariable }[] = []
  for (let at = newest, variable = table.variables[at]; variable; at = variable.parent, variable = table.variables[at])
    chain.push({ at, variable })
  const root = chain.pop()
  if (root?.variable.role !== 'function') return undefined
  let offset: number | undefined = 0
  let argumentWords: number | undefined = 0
  const variables = chain.reverse().map(({ variable }): PlacedVariable => {
    const words = wordsOf(table.types[variable.type], variable.location)
    const placed = { ...variable, words: words ?? 0, offset: words === undefined ? undefined : offset }
    offset = words === undefined || offset === undefined ? undefined : offset + words
    if (variable.role === 'argument') argumentWords = offset
    return placed
  })
  return { root: root.at, variables, argumentWords }
}

/** What a variable takes on the stack, in words. */
function wordsOf(type: VariableType | undefined, location: ScopedVariable['location']): number | undefined {
  if (!type) return undefined
  if (type.kind === 'other') return type.words
  // Where it begins, and how long it is.
  const isCounted = type.kind === 'text' || (type.kind === 'array' && type.length === undefined)
  return location === 'calldata' && isCounted ? 2 : 1
}
