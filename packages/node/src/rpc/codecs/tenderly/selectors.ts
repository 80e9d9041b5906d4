import type { Hex } from '@understudy/evm'
import { z } from 'zod'
import { codec } from '../../../shared/codec.ts'
import { BytesOfLength, bytesFromInput, Hash } from '../hex.ts'

/** The first four bytes of the hash of a function or an error. */
export const Selector = BytesOfLength(4)

/** Data that begins with a selector. */
export const SelectedData = codec<string, Hex>(
  '0x-hex bytes that begin with a selector of 4 bytes',
  (input) =>
    (bytesFromInput(input)?.length ?? 0) >= 4 ? (`0x${(input as string).slice(2).toLowerCase()}` as Hex) : undefined,
  { title: 'SelectedData', type: 'string', pattern: '^0x([0-9a-fA-F]{2}){4,}$' },
)

/** The topics of a log that is not anonymous. */
export const Topics = z
  .array(Hash)
  .min(1, { error: 'is empty; the first topic says which event it is' })
  .max(4, { error: 'has more than the 4 topics that a log can have' })
