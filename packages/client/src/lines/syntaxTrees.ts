/** A node of solc's syntax tree. Any field may be missing or wrong: trees come from files. */
export type SyntaxNode = { readonly [field: string]: unknown }

/** A range in a source, in bytes; `end` is after the last one. */
export type Range = { start: number; end: number }

/** A function, constructor or modifier with a body, and the contract that it is in. `file`: the number of its source. */
export type FunctionPart = Range & { node: SyntaxNode; name: string; file: number }

/** Definitions of a compilation, nodes of a list, and characters of a name or type that are read. */
const definitionLimit = 200_000
const listLimit = 10_000
export const textLimit = 300

export const nodeOf = (value: unknown): SyntaxNode | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as SyntaxNode) : undefined

export const nodesOf = (value: unknown): (SyntaxNode | undefined)[] =>
  Array.isArray(value) ? value.slice(0, listLimit).map(nodeOf) : []

/** `undefined` for what is no text, or too long. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= textLimit ? value : undefined

export function rangeOf({ src }: SyntaxNode): Range | undefined {
  const [, start, length] = /^(\d{1,9}):(\d{1,9}):/.exec(typeof src === 'string' ? src : '') ?? []
  return start === undefined ? undefined : { start: Number(start), end: Number(start) + Number(length) }
}

/** The definitions in the syntax trees of one compilation by solc 0.5 or later; of others, there are none. */
export class SyntaxTrees {
  readonly #functions = new Map<number, FunctionPart[]>()
  readonly #byId = new Map<number, SyntaxNode>()
  readonly #parts = new Map<SyntaxNode, FunctionPart>()
  readonly #contracts = new Map<string, SyntaxNode>()
  #count = 0

  /** `trees`: by the numbers that source maps have for their sources. */
  constructor(trees: ReadonlyMap<number, unknown>) {
    for (const [file, tree] of trees) {
      const functions: FunctionPart[] = []
      for (const node of nodesOf(nodeOf(tree)?.nodes)) {
        if (!node) continue
        this.#add(node, file, undefined, functions)
        if (node.nodeType === 'ContractDefinition') this.#contracts.set(`${file}:${textOf(node.name)}`, node)
      }
      functions.sort((a, b) => a.start - b.start)
      this.#functions.set(file, functions)
    }
  }

  #add(node: SyntaxNode, file: number, contract: string | undefined, functions: FunctionPart[]): void {
    if (++this.#count > definitionLimit) return
    if (typeof node.id === 'number') this.#byId.set(node.id, node)
    const name = textOf(node.name) ?? ''
    if (node.nodeType === 'ContractDefinition' && contract === undefined)
      for (const part of nodesOf(node.nodes)) if (part) this.#add(part, file, name, functions)
    // Before solc 0.5, functions had no kind, and variables were elsewhere.
    const isFunction = node.nodeType === 'FunctionDefinition' && typeof node.kind === 'string'
    if (!(isFunction || node.nodeType === 'ModifierDefinition') || !nodeOf(node.body)) return
    const range = rangeOf(node)
    if (!range) return
    const part = { ...range, node, name: contract ? `${contract}.${name}` : name, file }
    functions.push(part)
    this.#parts.set(node, part)
  }

  /** A definition of the top level or of a contract by its id. */
  definition(id: unknown): SyntaxNode | undefined {
    return typeof id === 'number' ? this.#byId.get(id) : undefined
  }

  /** `undefined` for what is no function, and has no body. */
  partOf(node: SyntaxNode | undefined): FunctionPart | undefined {
    return node && this.#parts.get(node)
  }

  /**
   * A contract and what it inherits, the most derived first, as solc orders them. `undefined` for those that are in none of
   * the trees.
   */
  basesOf(file: number, name: string): (SyntaxNode | undefined)[] {
    const ids = this.#contracts.get(`${file}:${name}`)?.linearizedBaseContracts
    return Array.isArray(ids) ? ids.slice(0, listLimit).map((id) => this.definition(id)) : []
  }

  /**
   * The functions that calls of a contract run, by their selectors, and its `constructor`, `fallback` and `receive`. Before
   * solc 0.6, trees have no selectors.
   */
  calledIn(file: number, name: string): Map<string, FunctionPart> {
    const called = new Map<string, FunctionPart>()
    for (const [index, contract] of this.basesOf(file, name).entries())
      for (const node of nodesOf(contract?.nodes)) {
        const part = this.partOf(node)
        const key = part && keyOf(part.node)
        // Constructors of what it inherits are not its own.
        if (part && key !== undefined && !called.has(key) && (key !== 'constructor' || index === 0))
          called.set(key, part)
      }
    return called
  }

  /** The function that a range of a source is in. */
  functionAt(file: number, { start, end }: Range): FunctionPart | undefined {
    const functions = this.#functions.get(file) ?? []
    let [low, high] = [0, functions.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((functions[middle] as FunctionPart).start <= start) low = middle + 1
      else high = middle
    }
    const found = functions[low - 1]
    return found && end <= found.end ? found : undefined
  }
}

/** By what a function is called from outside. */
function keyOf({ kind, functionSelector }: SyntaxNode): string | undefined {
  if (kind === 'constructor' || kind === 'fallback' || kind === 'receive') return kind
  const selector = textOf(functionSelector)
  return selector !== undefined && /^[0-9a-f]{8}$/.test(selector) ? `0x${selector}` : undefined
}
