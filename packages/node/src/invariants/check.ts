import { NetworkError } from '../shared/errors.ts'
import type { Comparator, InvariantCheck } from '../storage/records/tracking/invariants.ts'
import type { EvaluationOutcome } from '../tracking/evaluateProbe.ts'
import { type Probe, probeOf } from '../tracking/probe.ts'
import { parseExpression, type Term, truth } from './expression.ts'

/** What came of a check; `error`: why there is none. */
export type CheckOutcome = {
  holds: boolean
  left: string | undefined
  right: string | undefined
  error: string | undefined
}

/** A check that was read: the values that it needs, and what it says of them, in the same order. */
export type Check = { probes: readonly Probe[]; judge(values: readonly EvaluationOutcome[]): CheckOutcome }

const notEvaluated: EvaluationOutcome = { error: 'it was not evaluated' }
const valueLimit = 16

/** Throws `INVALID_PARAMS` that names the field. */
export function readCheck(check: InvariantCheck): Check {
  return 'holds' in check ? readExpression(check) : readComparison(check)
}

function readComparison({ left, is, right }: Extract<InvariantCheck, { is: Comparator }>): Check {
  const isConstant = typeof right === 'string'
  return {
    probes: isConstant ? [probeOf(left)] : [probeOf(left), probeOf(right)],
    judge([first = notEvaluated, second = notEvaluated]) {
      const other = isConstant ? { value: right } : second
      const [a, b] = [valueIn(first), valueIn(other)]
      const holds = a !== undefined && b !== undefined && compare(a, is, b)
      return { holds, left: a, right: b, error: errorIn(first) ?? errorIn(other) }
    },
  }
}

function readExpression({ values, holds }: Extract<InvariantCheck, { holds: string }>): Check {
  const names = Object.keys(values)
  if (names.length === 0 || names.length > valueLimit)
    throw new NetworkError('INVALID_PARAMS', { field: 'check.values', problem: `expected 1 to ${valueLimit} values` })
  const wrong = names.find((name) => !/^[A-Za-z_]\w{0,63}$/.test(name) || name === 'true' || name === 'false')
  if (wrong !== undefined)
    throw new NetworkError('INVALID_PARAMS', {
      field: 'check.values',
      problem: 'expected names of letters, digits and _, such as debt',
    })
  const expression = parseExpression(holds, new Set(names))
  return {
    probes: Object.values(values).map(probeOf),
    judge(outcomes) {
      const known = new Map<string, Term>()
      for (const [index, name] of names.entries()) {
        const outcome = outcomes[index] ?? notEvaluated
        if ('error' in outcome)
          return { holds: false, left: undefined, right: undefined, error: `${name}: ${outcome.error}` }
        known.set(name, termOf(outcome.value))
      }
      const left = [...known].map(([name, value]) => `${name} = ${value}`).join(', ')
      try {
        return { holds: truth(expression(known)), left, right: undefined, error: undefined }
      } catch (error) {
        return { holds: false, left, right: undefined, error: (error as Error).message }
      }
    },
  }
}

const valueIn = (outcome: EvaluationOutcome) => ('value' in outcome ? outcome.value : undefined)
const errorIn = (outcome: EvaluationOutcome) => ('error' in outcome ? outcome.error : undefined)

function termOf(text: string): Term {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?\d+$/.test(text) ? BigInt(text) : text
}

/** Numbers are compared as such, other values as text without regard to case: addresses have checksums. */
function compare(left: string, is: Comparator, right: string): boolean {
  const [a, b] = [numberOf(left), numberOf(right)]
  const isOrdered = a !== undefined && b !== undefined
  const isEqual = isOrdered ? a === b : left.toLowerCase() === right.toLowerCase()
  switch (is) {
    case '==':
      return isEqual
    case '!=':
      return !isEqual
    case '<':
      return isOrdered && a < b
    case '<=':
      return isOrdered && a <= b
    case '>':
      return isOrdered && a > b
    case '>=':
      return isOrdered && a >= b
  }
}

function numberOf(text: string): bigint | undefined {
  try {
    return text.trim() === '' ? undefined : BigInt(text)
  } catch {
    return undefined
  }
}
