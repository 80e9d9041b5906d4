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

/** The syntax trees of a compilation, how it made code of them, and the contract by its source and name. */
export type Syntax = { trees: SyntaxTrees; code: GeneratedCode; contract?: { file: number; name: string } | undefined }

/**
 * A variable on the stack, above the one at `parent` in the list. The first of a function is the function itself, with
 * `parent` -1.
 */
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
export type VariableTable = {
  code: GeneratedCode
  variables: ScopedVariable[]
  types: VariableType[]
  /**
   * Where modifiers, and constructors that the contract inherits, are used: their positions, and those of the variables that
   * they are directly above.
   */
  uses?: [used: number, above: number][] | undefined
  /** The constructor whose arguments are the lowest on the stack; `undefined` where it is not known, or there is none. */
  lowestConstructor?: number | undefined
  /** The last argument of the fallback function, or the function itself if it has none; of the receive function likewise. */
  fallback?: number | undefined
  receive?: number | undefined
}

type Scope = { variable: number }
/** From here on, `variable` is the newest in scope. Inner regions follow those around them. */
type Region = Range & Scope
/** A function that was looked at: its position in the list, and that of its last argument. */
type Opened = { root: number; lastArgument: number; regions: Region[] }

const variableLimit = 20_000
const statementLimit = 20_000
const depthLimit = 64
const useLimit = 20_000
const notEntered = new Set<unknown>(['constructor', 'fallback', 'receive'])
/** What a function or modifier is made of is too much, or wrong. */
class Unreadable extends Error {}

/** Finds which variables are in scope, in the functions that are asked for. */
export class Scopes {
  readonly #trees: SyntaxTrees
  readonly #code: GeneratedCode
  /** The contract and what it inherits, the most derived first. */
  readonly #contracts: readonly (SyntaxNode | undefined)[]
  readonly #variables: ScopedVariable[] = []
  readonly #types: VariableTypes
  readonly #opened = new Map<FunctionPart, Opened | undefined>()
  readonly #uses: [number, number][] = []
  readonly #lowestConstructor: number | undefined
  readonly #fallback: number | undefined
  readonly #receive: number | undefined
  #statements = 0

  constructor({ trees, code, contract }: Syntax) {
    this.#trees = trees
    this.#code = code
    this.#types = new VariableTypes(trees)
    this.#contracts = contract ? trees.basesOf(contract.file, contract.name) : []
    this.#lowestConstructor = this.#openConstructors()
    this.#fallback = this.#openUnnamed('fallback')
    this.#receive = this.#openUnnamed('receive')
  }

  /** Of the functions that were asked for. */
  get table(): VariableTable {
    const [lowestConstructor, fallback, receive] = [this.#lowestConstructor, this.#fallback, this.#receive]
    return {
      code: this.#code,
      variables: this.#variables,
      types: this.#types.list,
      uses: this.#uses,
      ...(lowestConstructor !== undefined && { lowestConstructor }),
      ...(fallback !== undefined && { fallback }),
      ...(receive !== undefined && { receive }),
    }
  }

  /** The newest variable in scope at a range of a source; -1 where it is not known. */
  find(file: number, range: Range): number {
    const regions = this.#opens(this.#trees.functionAt(file, range))?.regions ?? []
    return regions.findLast(({ start, end }) => start <= range.start && range.end <= end)?.variable ?? -1
  }

  /** Looks at a function once; `undefined` where what it is made of is not known. */
  #opens(part: FunctionPart | undefined): Opened | undefined {
    if (!part) return undefined
    if (!this.#opened.has(part)) this.#opened.set(part, this.#open(part))
    return this.#opened.get(part)
  }

  #open(part: FunctionPart): Opened | undefined {
    const { node, name } = part
    const regions: Region[] = []
    const body = nodeOf(node.body)
    const whole = body && rangeOf(body)
    if (!body || !whole) return undefined
    const modifiers = nodesOf(node.modifiers).map((each) => this.#modifierOf(each))
    const uses: { opened: Opened; above: number }[] = []
    const begun = this.#variables.length
    // Only functions that are jumped to have a moment when they are entered, with what they were given on the stack.
    const isEntered = node.nodeType === 'FunctionDefinition' && !notEntered.has(node.kind)
    const assigned = this.#code === 'optimized' && isEntered ? assignedIn(body) : undefined
    this.#statements = 0
    try {
      const root = this.#add({ parent: -1, role: 'function', name, type: -1, location: 'stack' })
      let variable = root
      for (const each of parametersOf(node.parameters)) variable = this.#declare(variable, 'argument', each, assigned)
      const lastArgument = variable
      regions.push({ start: part.start, end: part.end, variable })
      for (const each of parametersOf(node.returnParameters)) variable = this.#declare(variable, 'return', each)
      for (const each of modifiers) {
        if (each === 'constructor') continue
        if (each?.opened) uses.push({ opened: each.opened, above: variable })
        variable = this.#modify(variable, each?.node)
      }
      this.#walk(body, { variable }, { role: 'local', regions, depth: 0 })
      if (this.#uses.length + uses.length > useLimit) throw new Unreadable()
      for (const { opened, above } of uses) this.#uses.push([opened.root, above])
      return { root, lastArgument, regions }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      this.#variables.length = begun
      return undefined
    }
  }

  /** A contract has the arguments of its constructor on the stack while those that it inherits run, and so on. */
  #openConstructors(): number | undefined {
    let derived: Opened | undefined
    let lowest: number | undefined
    for (const contract of this.#contracts) {
      // What is not known may have a constructor.
      if (!contract) break
      const own = nodesOf(contract.nodes).find((each) => each?.kind === 'constructor' && nodeOf(each.body))
      if (!own) continue
      const opened = this.#opens(this.#trees.partOf(own))
      if (!opened || this.#uses.length >= useLimit) break
      if (derived) this.#uses.push([opened.root, derived.lastArgument])
      derived = opened
      lowest ??= opened.root
    }
    return lowest
  }

  /** The last argument of the function of a kind that the contract has or inherits. */
  #openUnnamed(kind: 'fallback' | 'receive'): number | undefined {
    for (const contract of this.#contracts) {
      // What is not known may have one.
      if (!contract) return undefined
      const own = nodesOf(contract.nodes).find((each) => each?.kind === kind)
      if (own) return this.#opens(this.#trees.partOf(own))?.lastArgument
    }
    return undefined
  }

  /**
   * What is used where a modifier is named: perhaps one that overrides it. `undefined` where that is not known; a constructor
   * of what a contract inherits is named there too.
   */
  #modifierOf(invocation: SyntaxNode | undefined): Modifier | 'constructor' | undefined {
    const named = nodeOf(invocation?.modifierName)
    const declared = this.#trees.definition(named?.referencedDeclaration)
    if (declared?.nodeType === 'ContractDefinition') return 'constructor'
    const isQualified = named?.nodeType === 'MemberAccess' || textOf(named?.name)?.includes('.')
    const node = isQualified ? declared : this.#overrideOf(declared)
    return node && { node, opened: this.#opens(this.#trees.partOf(node)) }
  }

  #overrideOf(declared: SyntaxNode | undefined): SyntaxNode | undefined {
    const isInherited = this.#contracts.some((each) => nodesOf(each?.nodes).includes(declared))
    if (!declared || !isInherited) return declared?.virtual === true ? undefined : declared
    for (const contract of this.#contracts) {
      if (!contract) return undefined
      const isNamed = (each: SyntaxNode | undefined) =>
        each?.nodeType === 'ModifierDefinition' && each.name === declared.name
      const found = nodesOf(contract.nodes).find(isNamed)
      if (found) return found
    }
    return undefined
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
  #modify(parent: number, definition: SyntaxNode | undefined): number {
    const body = nodeOf(definition?.body)
    if (!definition || !body) return this.#unknown(parent)
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
          const range = rangeOf(nodeOf(part) ?? {})
          if (range) walk.regions.push({ ...range, variable: own.variable })
        }
        within(statement.body, own)
        return
      }
      case 'TryStatement':
        for (const clause of nodesOf(statement.clauses)) {
          const own = { ...scope }
          for (const each of parametersOf(clause?.parameters))
            own.variable = this.#declare(own.variable, walk.role, each)
          within(clause?.block, own)
        }
    }
  }
}

type Modifier = { node: SyntaxNode; opened: Opened | undefined }

type Walk = {
  role: 'local' | 'hidden'
  regions: Region[]
  depth: number
  onPlaceholder?: ((variable: number) => void) | undefined
}

const parametersOf = (list: unknown) => nodesOf(nodeOf(list)?.parameters)
