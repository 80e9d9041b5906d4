import { codec } from '../../shared/codec.ts'

/** The id of a filter or subscription. */
export const FilterId = codec<string, string>(
  'an id (0x-hex, at most 32 bytes)',
  (input) => (typeof input === 'string' && /^0x[\da-f]{1,64}$/i.test(input) ? input.toLowerCase() : undefined),
  { title: 'FilterId', type: 'string' },
)
