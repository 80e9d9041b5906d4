import { z } from 'zod'
import { Address } from './hex.ts'
import { Quantity64 } from './numbers.ts'
import { optional, withDefault } from './optional.ts'

const limitProblem = { error: 'expected a whole number from 1 to 200' }
const Limit = withDefault(z.int(limitProblem).min(1, limitProblem).max(200, limitProblem), 50)

/** Which deployment of a contract is meant; the one that was linked last when it is left out. */
export const whereFields = { address: optional(Address) }

/** A part of a list. */
export const pageFields = { limit: Limit, cursor: optional(z.string()) }

/** Blocks between which it happened, both included. */
export const blockFields = { fromBlock: optional(Quantity64), toBlock: optional(Quantity64) }

/** The options of a read: an object, of which everything may be left out, and the object too. */
export function optionsOf<Fields extends z.ZodRawShape>(fields: Fields) {
  const schema = z.strictObject(fields)
  return optional(schema).transform((given) => given ?? schema.parse({}))
}
