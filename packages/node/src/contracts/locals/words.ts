import { wordFromBigint } from '../../shared/hex.ts'
import { formatValue } from '../storageLayout/valueType.ts'

/** A word or a pointer that no value of its type has. The message is for people. */
export class NotAValueError extends Error {}

type Expected = { count?: number | undefined; isOnStack: boolean }

/**
 * A word as a value of an elementary type, in the notation of state variables. `count`: the members of an enum. On the stack,
 * the bits of a number that its type does not have may be anything: the compiler clears them only where they matter. Throws
 * `NotAValueError`.
 */
export function formatWord(word: bigint, as: string, { count, isOnStack }: Expected): string {
  const [, kind = as, digits = ''] = /^(\D+)(\d*)$/.exec(as) ?? []
  const bits = kind === 'bytes' ? Number(digits) * 8 : Number(digits || (kind === 'address' ? 160 : 8))
  const bytes = bits / 8
  const value = kind === 'bytes' ? word >> BigInt(256 - bits) : BigInt.asUintN(bits, word)
  const whole =
    kind === 'bytes'
      ? value << BigInt(256 - bits)
      : kind === 'int'
        ? BigInt.asUintN(256, BigInt.asIntN(bits, word))
        : value
  const isWhole = whole === word || (isOnStack && count === undefined && /^(u?int|bytes)$/.test(kind))
  const fits = isWhole && (kind !== 'bool' || word <= 1n) && (count === undefined || word < count)
  if (!fits) throw new NotAValueError(`not known: ${wordFromBigint(word)} is not a value of the type`)
  return formatValue(as, bytes, value)
}
