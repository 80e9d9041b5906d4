import { codec } from '../../shared/codec.ts'

/** One day: timers are limited to a few weeks. */
const maxSeconds = 86_400

/** A duration in seconds; a JSON number may have fractions. */
export const IntervalSeconds = codec<string | number, number>(
  `seconds from 0 to ${maxSeconds}`,
  (input) => {
    const value = typeof input === 'string' && /^(0x[\da-f]{1,8}|\d{1,8})$/i.test(input) ? Number(input) : input
    return typeof value === 'number' && value >= 0 && value <= maxSeconds ? value : undefined
  },
  { title: 'IntervalSeconds', type: ['string', 'number'] },
)
