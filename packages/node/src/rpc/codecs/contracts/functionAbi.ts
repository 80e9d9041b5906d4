import { z } from 'zod'

/** A function ABI in any accepted form. It is validated where it is used. */
export const FunctionAbi = z
  .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())], {
    error: 'expected a JSON ABI fragment (a string or an object) or a human-readable function signature',
  })
  .meta({ title: 'FunctionAbi' })
