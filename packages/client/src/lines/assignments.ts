import { nodeOf, type SyntaxNode } from './syntaxTrees.ts'

const nodeLimit = 200_000

/** The ids of the variables that a part of a syntax tree may assign to; `any` where it is too large. */
export function assignedIn(root: SyntaxNode): ReadonlySet<number> | 'any' {
  const assigned = new Set<number>()
  const open: { value: unknown; isTarget: boolean }[] = [{ value: root, isTarget: false }]
  for (let count = 0; open.length > 0; count++) {
    if (count > nodeLimit || open.length > nodeLimit) return 'any'
    const { value, isTarget } = open.pop() as (typeof open)[number]
    if (Array.isArray(value)) {
      for (const each of value) open.push({ value: each, isTarget })
      continue
    }
    const node = nodeOf(value)
    if (!node) continue
    if (isTarget && typeof node.referencedDeclaration === 'number') assigned.add(node.referencedDeclaration)
    // What assembly refers to.
    if (typeof node.declaration === 'number') assigned.add(node.declaration)
    const isChange = node.nodeType === 'UnaryOperation' && /^(\+\+|--|delete)$/.test(String(node.operator))
    for (const [field, part] of Object.entries(node))
      open.push({ value: part, isTarget: isTarget || isChange || field === 'leftHandSide' })
  }
  return assigned
}
