import { z } from 'zod'
import { Address } from './hex.ts'
import { Quantity64 } from './numbers.ts'
import { optional, withDefault } from './optional.ts'

const limitProblem = { error: 'expected a whole number from 1 to 200' }
const Limit = withDefault(z.int(limitProblem).min(1, limitProblem).max(200, limitProblem), 50)

/** Selects a deployment of a contract; default: the one linked last. */
export const whereFields = { address: optional(Address) }

/** Pagination of a list. */
export const pageFields = { limit: Limit, cursor: optional(z.string()) }

/** A block range, both ends included. */
export const blockFields = { fromBlock: optional(Quantity64), toBlock: optional(Quantity64) }

/** The options of a read: an optional object of optional fields. */
export function optionsOf<Fields extends z.ZodRawShape>(fields: Fields) {
  const schema = z.strictObject(fields)
  return optional(schema).transform((given) => given ?? schema.parse({}))
}
