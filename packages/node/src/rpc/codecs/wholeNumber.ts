import { codec } from '../../shared/codec.ts'

/** A whole number within bounds: a count or an index. */
export const wholeNumber = (min: number, max: number) =>
  codec<number, number>(
    `a whole number from ${min} to ${max}`,
    (input) =>
      Number.isSafeInteger(input) && (input as number) >= min && (input as number) <= max
        ? (input as number)
        : undefined,
    { title: 'WholeNumber', type: 'integer', description: 'a whole number, as a JSON number' },
  )
