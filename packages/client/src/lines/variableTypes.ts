import { nodeOf, nodesOf, type SyntaxNode, type SyntaxTrees, textOf } from './syntaxTrees.ts'

/** A type of local variables. Other types are named by their positions in a list. `label`: in Solidity's notation, without a location. */
export type VariableType =
  /** Fits into a word. `as`: the elementary type that it is made of; `count`: the members of an enum. */
  | { kind: 'value'; label: string; as: string; count?: number | undefined }
  | { kind: 'text'; label: 'bytes' | 'string' }
  /** Without `length`, a dynamic one. */
  | { kind: 'array'; label: string; item: number; length?: number | undefined }
  | { kind: 'struct'; label: string; members: { name: string; type: number }[] }
  /** A mapping or a function; `words`: on the stack. */
  | { kind: 'other'; label: string; words: number }

const depthLimit = 32
const typeLimit = 5000

/** The types that variables of a contract have, numbered as they are found. */
export class VariableTypes {
  readonly list: VariableType[] = []
  readonly #numbers = new Map<string, number>()
  readonly #trees: SyntaxTrees

  constructor(trees: SyntaxTrees) {
    this.#trees = trees
  }

  /** The number of a declared type; -1 where it is not known. */
  numberOf(name: unknown, depth = 0): number {
    const node = nodeOf(name)
    const label = node && labelOf(node)
    if (!node || label === undefined || depth > depthLimit) return -1
    const key = `${label}:${node.referencedDeclaration}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    if (this.list.length >= typeLimit) return -1
    // A struct may contain itself in an array: its number is known before its members.
    const number = this.list.push({ kind: 'other', label, words: 1 }) - 1
    this.#numbers.set(key, number)
    const type = this.#typeOf(node, label, depth)
    if (type) this.list[number] = type
    else this.#numbers.set(key, -1)
    return type ? number : -1
  }

  #typeOf(node: SyntaxNode, label: string, depth: number): VariableType | undefined {
    switch (node.nodeType) {
      case 'ElementaryTypeName':
        if (label === 'bytes' || label === 'string') return { kind: 'text', label }
        return elementary.test(label) ? { kind: 'value', label, as: label.replace(' payable', '') } : undefined
      case 'UserDefinedTypeName':
        return this.#definedType(this.#trees.definition(node.referencedDeclaration), label, depth)
      case 'ArrayTypeName': {
        const item = this.numberOf(node.baseType, depth + 1)
        const [, digits] = /\[(\d{0,9})\]$/.exec(label) ?? []
        if (item < 0 || digits === undefined) return undefined
        return { kind: 'array', label, item, ...(digits !== '' && { length: Number(digits) }) }
      }
      case 'Mapping':
        return { kind: 'other', label, words: 1 }
      case 'FunctionTypeName':
        return { kind: 'other', label, words: node.visibility === 'external' ? 2 : 1 }
      default:
        return undefined
    }
  }

  #definedType(definition: SyntaxNode | undefined, label: string, depth: number): VariableType | undefined {
    switch (definition?.nodeType) {
      case 'ContractDefinition':
        return { kind: 'value', label, as: 'address' }
      case 'EnumDefinition':
        return { kind: 'value', label, as: 'uint8', count: nodesOf(definition.members).length }
      case 'UserDefinedValueTypeDefinition': {
        const under = this.list[this.numberOf(definition.underlyingType, depth + 1)]
        return under?.kind === 'value' ? { ...under, label } : undefined
      }
      case 'StructDefinition': {
        const members = nodesOf(definition.members).map((member) => ({
          name: textOf(member?.name) ?? '',
          type: this.numberOf(member?.typeName, depth + 1),
        }))
        return members.some(({ type }) => type < 0) ? undefined : { kind: 'struct', label, members }
      }
      default:
        return undefined
    }
  }
}

const elementary = /^(u?int\d{1,3}|bool|address( payable)?|bytes\d{1,2})$/

function labelOf({ typeDescriptions }: SyntaxNode): string | undefined {
  return textOf(nodeOf(typeDescriptions)?.typeString)?.replaceAll(/ (memory|calldata|storage (pointer|ref))\b/g, '')
}
