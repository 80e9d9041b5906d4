import { assignedIn } from './assignments.ts'
import {
  type FunctionPart,
  nodeOf,
  nodesOf,
  type Range,
  rangeOf,
  type SyntaxNode,
  type SyntaxTrees,
  textOf,
} from './syntaxTrees.ts'
import { type VariableType, VariableTypes } from './variableTypes.ts'

/**
 * How the code was made. Where solc's own optimiser worked on it, only arguments are where they are expected, when a
 * function is entered; where it was made through Yul, nothing is.
 */
export type GeneratedCode = 'plain' | 'optimized' | 'yul'

/** A variable on the stack, above the one at `parent` in the list. The first of a function is the function itself, with `parent` -1. */
export type ScopedVariable = {
  parent: number
  /** `hidden`: it is on the stack, but not in scope. */
  role: 'function' | 'argument' | 'return' | 'local' | 'hidden'
  name: string
  /** Its position in the list of types; -1 where what is on the stack is not known, as for all that is above it. */
  type: number
  location: 'stack' | 'memory' | 'calldata' | 'storage'
  /** Nothing is assigned to it. */
  isFixed?: boolean | undefined
}

/** The local variables of a contract's functions. */
export type VariableTable = { code: GeneratedCode; variables: ScopedVariable[]; types: VariableType[] }

type Scope = { variable: number }
/** From here on, `variable` is the newest in scope. Inner regions follow those around them. */
type Region = Range & Scope

const variableLimit = 20_000
const statementLimit = 20_000
const depthLimit = 64
/** What a function or modifier is made of is too much, or wrong. */
class Unreadable extends Error {}

/** Finds which variables are in scope, in the functions that are asked for. */
export class Scopes {
  readonly #trees: SyntaxTrees
  readonly #code: GeneratedCode
  readonly #variables: ScopedVariable[] = []
  readonly #types: VariableTypes
  readonly #regions = new Map<FunctionPart, Region[]>()
  #statements = 0

  constructor(trees: SyntaxTrees, code: GeneratedCode) {
    this.#trees = trees
    this.#code = code
    this.#types = new VariableTypes(trees)
  }

  /** Of the functions that were asked for. */
  get table(): VariableTable {
    return { code: this.#code, variables: this.#variables, types: this.#types.list }
  }

  /** The newest variable in scope at a place of a source; -1 where it is not known. */
  find(file: number, place: Range): number {
    const part = this.#trees.functionAt(file, place)
    if (!part) return -1
    const regions = this.#regions.get(part) ?? this.#open(part)
    this.#regions.set(part, regions)
    return regions.findLast(({ start, end }) => start <= place.start && place.end <= end)?.variable ?? -1
  }

  #open(part: FunctionPart): Region[] {
    const { node, name } = part
    const begun = this.#variables.length
    const regions: Region[] = []
    const body = nodeOf(node.body)
    const whole = body && rangeOf(body)
    if (!body || !whole) return []
    const assigned = this.#code === 'optimized' ? assignedIn(body) : undefined
    this.#statements = 0
    try {
      let variable = this.#add({ parent: -1, role: 'function', name, type: -1, location: 'stack' })
      for (const each of parametersOf(node.parameters)) variable = this.#declare(variable, 'argument', each, assigned)
      regions.push({ start: part.start, end: part.end, variable })
      for (const each of parametersOf(node.returnParameters)) variable = this.#declare(variable, 'return', each)
      for (const each of nodesOf(node.modifiers)) variable = this.#modify(variable, each)
      this.#walk(body, { variable }, { role: 'local', regions, depth: 0 })
      return regions
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      this.#variables.length = begun
      return []
    }
  }

  #add(variable: ScopedVariable): number {
    if (this.#variables.length >= variableLimit) throw new Unreadable()
    return this.#variables.push(variable) - 1
  }

  #declare(
    parent: number,
    role: ScopedVariable['role'],
    node: SyntaxNode | undefined,
    assigned?: ReadonlySet<number> | 'any',
  ): number {
    const type = this.#types.numberOf(node?.typeName)
    const kind = this.#types.list[type]?.kind
    const stored = node?.storageLocation
    const isStored = stored === 'memory' || stored === 'calldata' || stored === 'storage'
    const isValue = kind === 'value' || kind === 'other'
    const location = isStored ? stored : 'stack'
    const isFixed = assigned !== undefined && assigned !== 'any' && !assigned.has(Number(node?.id))
    return this.#add({
      parent,
      role,
      name: textOf(node?.name) ?? '',
      type: isValue || isStored ? type : -1,
      location,
      ...(isFixed && { isFixed }),
    })
  }

  readonly #unknown = (parent: number) => this.#add({ parent, role: 'hidden', name: '', type: -1, location: 'stack' })

  /** What a modifier has on the stack while the function in it runs. */
  #modify(parent: number, invocation: SyntaxNode | undefined): number {
    const definition = this.#trees.definition(nodeOf(invocation?.modifierName)?.referencedDeclaration)
    // The constructor of a base contract.
    if (definition?.nodeType === 'ContractDefinition') return parent
    const body = nodeOf(definition?.body)
    // Another contract may have replaced it.
    if (!definition || !body || definition.virtual === true) return this.#unknown(parent)
    let variable = parent
    for (const each of parametersOf(definition.parameters)) variable = this.#declare(variable, 'hidden', each)
    const within = new Set<number>()
    this.#walk(body, { variable }, { role: 'hidden', regions: [], depth: 0, onPlaceholder: (at) => within.add(at) })
    const [only] = within
    return within.size === 1 && only !== undefined ? only : this.#unknown(variable)
  }

  /** Adds what a statement declares to the scope, and the regions in it. */
  #walk(statement: SyntaxNode | undefined, scope: Scope, walk: Walk): void {
    const range = statement && rangeOf(statement)
    if (!statement || !range) return
    if (++this.#statements > statementLimit || walk.depth > depthLimit) throw new Unreadable()
    walk.regions.push({ ...range, variable: scope.variable })
    const inner: Walk = { ...walk, depth: walk.depth + 1 }
    const within = (part: unknown, from: Scope = { ...scope }) => this.#walk(nodeOf(part), from, inner)
    switch (statement.nodeType) {
      case 'Block':
      case 'UncheckedBlock': {
        const own = { ...scope }
        for (const each of nodesOf(statement.statements)) within(each, own)
        return
      }
      case 'VariableDeclarationStatement':
        for (const each of nodesOf(statement.declarations))
          if (each) scope.variable = this.#declare(scope.variable, walk.role, each)
        return
      case 'PlaceholderStatement':
        walk.onPlaceholder?.(scope.variable)
        return
      case 'IfStatement':
        within(statement.trueBody)
        within(statement.falseBody)
        return
      case 'WhileStatement':
      case 'DoWhileStatement':
        within(statement.body)
        return
      case 'ForStatement': {
        const own = { ...scope }
        within(statement.initializationExpression, own)
        for (const part of [statement.condition, statement.loopExpression]) {
          const place = rangeOf(nodeOf(part) ?? {})
          if (place) walk.regions.push({ ...place, variable: own.variable })
        }
        within(statement.body, own)
        return
      }
      case 'TryStatement':
        for (const [index, clause] of nodesOf(statement.clauses).entries()) {
          const own = { ...scope }
          // What the compiler keeps on the stack while it looks at an error differs between its versions.
          if (index > 0) own.variable = this.#unknown(own.variable)
          for (const each of parametersOf(clause?.parameters))
            own.variable = this.#declare(own.variable, walk.role, each)
          within(clause?.block, own)
        }
    }
  }
}

type Walk = {
  role: 'local' | 'hidden'
  regions: Region[]
  depth: number
  onPlaceholder?: ((variable: number) => void) | undefined
}

const parametersOf = (list: unknown) => nodesOf(nodeOf(list)?.parameters)
