import type { z } from 'zod'
import type { Services } from '../services.ts'
import type { Notify } from './subscriptions.ts'

type Definition<Options extends z.ZodType, Result extends z.ZodType> = {
  /** The first parameter of `eth_subscribe`. */
  name: string
  /** One sentence. */
  summary: string
  /** The second parameter of `eth_subscribe`. */
  options: Options
  /** The encoded notification. For docs and types. */
  result: Result
  example: { options?: unknown; result: unknown }
  /** Starts notifications; returns a function that stops them. */
  start(services: Services, options: z.output<Options>, notify: Notify): () => void
}

/** An event that clients can subscribe to. */
export type Topic = Definition<z.ZodType, z.ZodType>

/** Creates a topic from its description. */
export function defineTopic<Options extends z.ZodType, Result extends z.ZodType>(
  definition: Definition<Options, Result>,
): Topic {
  return definition as unknown as Topic
}
