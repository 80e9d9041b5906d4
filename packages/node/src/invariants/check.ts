import type { Comparator, InvariantCheck } from '../storage/records/tracking/invariants.ts'
import type { EvaluationOutcome } from '../tracking/evaluateProbe.ts'
import { type Probe, probeOf } from '../tracking/probe.ts'

/** The two sides of a check; `undefined` for a side that is a constant. */
export type Sides<Item> = { left: Item; right: Item | undefined }

/** Throws `INVALID_PARAMS` that names the field. */
export function probesOf({ left, right }: InvariantCheck): Sides<Probe> {
  return { left: probeOf(left), right: typeof right === 'string' ? undefined : probeOf(right) }
}

/** What came of a check; `error`: why there is none. */
export type CheckOutcome = {
  holds: boolean
  left: string | undefined
  right: string | undefined
  error: string | undefined
}

export function outcomeOf(
  { is, right: constant }: InvariantCheck,
  left: EvaluationOutcome,
  right: EvaluationOutcome | undefined,
): CheckOutcome {
  const other = right ?? { value: String(constant) }
  const [a, b] = [valueIn(left), valueIn(other)]
  const error = 'error' in left ? left.error : 'error' in other ? other.error : undefined
  const holds = a !== undefined && b !== undefined && compare(a, is, b)
  return { holds, left: a, right: b, error }
}

const valueIn = (outcome: EvaluationOutcome) => ('value' in outcome ? outcome.value : undefined)

/** Numbers are compared as such, other values as text without regard to case: addresses have checksums. */
function compare(left: string, is: Comparator, right: string): boolean {
  const [a, b] = [numberOf(left), numberOf(right)]
  const order =
    a !== undefined && b !== undefined
      ? a < b
        ? -1
        : a > b
          ? 1
          : 0
      : left.toLowerCase() === right.toLowerCase()
        ? 0
        : 1
  const isOrdered = a !== undefined && b !== undefined
  switch (is) {
    case '==':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return isOrdered && order < 0
    case '<=':
      return isOrdered && order <= 0
    case '>':
      return isOrdered && order > 0
    case '>=':
      return isOrdered && order >= 0
  }
}

function numberOf(text: string): bigint | undefined {
  try {
    return text.trim() === '' ? undefined : BigInt(text)
  } catch {
    return undefined
  }
}
