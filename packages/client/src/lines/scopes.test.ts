import { describe, expect, it } from 'vitest'
import { assignedIn } from './assignments.ts'
import { Scopes } from './scopes.ts'
import { SyntaxTrees } from './syntaxTrees.ts'

type Node = { [field: string]: unknown }

const src = (start: number, end: number) => `${start}:${end - start}:0`
const word = { nodeType: 'ElementaryTypeName', typeDescriptions: { typeString: 'uint256' } }
const variable = (name: string, typeName: unknown = word): Node => ({ name, storageLocation: 'default', typeName })
const declaration = (start: number, end: number, name: string): Node => ({
  nodeType: 'VariableDeclarationStatement',
  src: src(start, end),
  declarations: [variable(name)],
})
const block = (start: number, end: number, statements: unknown): Node => ({
  nodeType: 'Block',
  src: src(start, end),
  statements,
})
/** A function `f(a)` from 0 to 100, with a body from 20 on. */
const treeOf = (statements: unknown, rest: Node = {}): Node => ({
  nodes: [
    {
      nodeType: 'FunctionDefinition',
      kind: 'freeFunction',
      name: 'f',
      src: src(0, 100),
      parameters: { parameters: [variable('a')] },
      body: block(20, 100, statements),
      ...rest,
    },
  ],
})
const scopesOf = (tree: unknown) => new Scopes({ trees: new SyntaxTrees(new Map([[0, tree]])), code: 'plain' })
/** The names in scope at an offset, the newest first. */
function namesAt(scopes: Scopes, start: number, end = start + 1): string[] {
  const names: string[] = []
  const { variables } = scopes.table
  for (let at = scopes.find(0, { start, end }), each = variables[at]; each; at = each.parent, each = variables[at])
    names.push(each.name)
  return names
}

describe('variables in scope', () => {
  it('are those that were declared before, in the blocks around', () => {
    const inner = block(40, 60, [declaration(41, 45, 'c'), { nodeType: 'ExpressionStatement', src: src(46, 50) }])
    const scopes = scopesOf(treeOf([declaration(21, 30, 'b'), inner, declaration(70, 80, 'd')]))
    expect(namesAt(scopes, 0, 100)).toEqual(['a', 'f'])
    expect(namesAt(scopes, 25)).toEqual(['a', 'f'])
    expect(namesAt(scopes, 42)).toEqual(['b', 'a', 'f'])
    expect(namesAt(scopes, 47)).toEqual(['c', 'b', 'a', 'f'])
    expect(namesAt(scopes, 75)).toEqual(['b', 'a', 'f'])
    expect(namesAt(scopes, 200)).toEqual([])
  })

  it('are none in trees that are wrong, and in those of old compilers', () => {
    for (const tree of [undefined, null, 5, 'text', [], {}, { nodes: 5 }, { nodes: [null, [], { nodes: [{}] }] }])
      expect(namesAt(scopesOf(tree), 50)).toEqual([])
    for (const rest of [{ kind: undefined }, { src: 'x' }, { src: '0:-1:0' }, { body: 5 }, { body: {} }])
      expect(namesAt(scopesOf(treeOf([], rest)), 50)).toEqual([])
    const odd = [null, 5, {}, { nodeType: 'Block', src: src(30, 90), statements: 'x' }, { nodeType: 'TryStatement' }]
    expect(namesAt(scopesOf(treeOf(odd)), 50)).toEqual(['a', 'f'])
  })

  it('are none in functions that are too deep or too long', () => {
    let deep: Node = block(30, 90, [])
    for (let depth = 0; depth < 10_000; depth++) deep = block(30, 90, [deep])
    expect(namesAt(scopesOf(treeOf([deep])), 50)).toEqual([])
    const long = Array.from({ length: 10_000 }, () => declaration(30, 40, 'b'))
    expect(namesAt(scopesOf(treeOf([block(21, 99, long), block(21, 99, long), block(21, 99, long)])), 50)).toEqual([])
  })

  it('have no known type where it is wrong, deep or refers to nothing', () => {
    let deep: Node = word
    for (let depth = 0; depth < 10_000; depth++)
      deep = { nodeType: 'ArrayTypeName', baseType: deep, typeDescriptions: { typeString: `x${depth}[]` } }
    const lost = {
      nodeType: 'UserDefinedTypeName',
      referencedDeclaration: 7,
      typeDescriptions: { typeString: 'struct S' },
    }
    for (const type of [null, 5, {}, deep, lost, { ...word, typeDescriptions: { typeString: 'x'.repeat(1e6) } }]) {
      const scopes = scopesOf(treeOf([], { parameters: { parameters: [variable('a', type)] } }))
      expect(namesAt(scopes, 50)).toEqual(['a', 'f'])
      expect(scopes.table.variables[1]?.type).toBe(-1)
    }
  })

  it('may all be assigned to where the function is too large to look at', () => {
    const target = {
      nodeType: 'Assignment',
      leftHandSide: { referencedDeclaration: 3 },
      rightHandSide: { referencedDeclaration: 4 },
    }
    expect(assignedIn({ statements: [target] })).toEqual(new Set([3]))
    expect(assignedIn({ statements: Array.from({ length: 300_000 }, () => ({})) })).toBe('any')
  })
})
