import { NetworkError } from '../shared/errors.ts'

/** What a name stands for, and what an expression gives. */
export type Term = bigint | boolean | string

/** An expression that was read: computes its value, and throws an `Error` that says why there is none. */
export type Expression = (values: ReadonlyMap<string, Term>) => Term

const token = /\s*(?:(0x[0-9a-fA-F]+|\d+)|([A-Za-z_]\w*)|(\|\||&&|[<>=!]=|[-+*/%<>!()]))/y
const levels = [['||'], ['&&'], ['==', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/', '%']]
/** Parentheses and signs may be nested so deep. */
const depthLimit = 50

/**
 * Reads an expression over names: integers and comparisons, `+ - * / %`, `&& || !` and parentheses, as in Solidity.
 * Throws `INVALID_PARAMS`.
 */
export function parseExpression(text: string, names: ReadonlySet<string>): Expression {
  const fail = (problem: string): never => {
    throw new NetworkError('INVALID_PARAMS', { field: 'check.holds', problem })
  }
  const tokens: string[] = []
  for (token.lastIndex = 0; text.slice(token.lastIndex).trim() !== ''; ) {
    const at = token.lastIndex
    const found = token.exec(text)
    if (!found) return fail(`cannot be read from "${text.slice(at, at + 20).trim()}"`)
    tokens.push(found[0].trim())
  }
  let next = 0

  function binary(level: number, depth: number): Expression {
    const operators = levels[level]
    if (!operators) return unary(depth)
    let left = binary(level + 1, depth)
    for (let operator = tokens[next]; operator && operators.includes(operator); operator = tokens[next]) {
      next++
      left = apply(operator, left, binary(level + 1, depth))
    }
    return left
  }

  function unary(depth: number): Expression {
    if (depth > depthLimit) return fail(`is nested more than ${depthLimit} times`)
    const word = tokens[next++]
    if (word === '!') {
      const inner = unary(depth + 1)
      return (values) => !truth(inner(values))
    }
    if (word === '-') {
      const inner = unary(depth + 1)
      return (values) => -number(inner(values))
    }
    if (word === '(') {
      const inner = binary(0, depth + 1)
      return tokens[next++] === ')' ? inner : fail('has a parenthesis that is not closed')
    }
    if (word === undefined) return fail('ends too early')
    if (/^\d/.test(word)) {
      const value = BigInt(word)
      return () => value
    }
    if (word === 'true' || word === 'false') return () => word === 'true'
    if (!names.has(word)) return fail(`has "${word}", which is not in values`)
    return (values) => values.get(word) as Term
  }

  const read = binary(0, 0)
  return next < tokens.length ? fail(`has "${tokens[next]}" where it could end`) : read
}

function apply(operator: string, left: Expression, right: Expression): Expression {
  switch (operator) {
    case '||':
      return (values) => truth(left(values)) || truth(right(values))
    case '&&':
      return (values) => truth(left(values)) && truth(right(values))
    case '==':
      return (values) => isSame(left(values), right(values))
    case '!=':
      return (values) => !isSame(left(values), right(values))
    default:
      return (values) => compute(operator, number(left(values)), number(right(values)))
  }
}

function compute(operator: string, a: bigint, b: bigint): Term {
  if (b === 0n && (operator === '/' || operator === '%')) throw new Error('it divides by zero')
  switch (operator) {
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    default:
      return a % b
  }
}

/** Addresses have checksums. */
const textOf = (term: Term) => String(term).toLowerCase()
const isSame = (a: Term, b: Term) => textOf(a) === textOf(b)

function number(term: Term): bigint {
  if (typeof term === 'bigint') return term
  throw new Error(`${String(term).slice(0, 100)} is not an integer`)
}

export function truth(term: Term): boolean {
  if (typeof term === 'boolean') return term
  throw new Error(`${String(term).slice(0, 100)} is not true or false`)
}
