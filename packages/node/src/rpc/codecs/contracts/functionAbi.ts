import { z } from 'zod'

/** The ABI of a function in any of the forms that are taken. Whether it is one is checked where it is used. */
export const FunctionAbi = z
  .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())], {
    error: 'expected a JSON ABI fragment (as text or as an object) or a human-readable function signature',
  })
  .meta({ title: 'FunctionAbi' })
