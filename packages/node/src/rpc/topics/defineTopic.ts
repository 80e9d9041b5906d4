import type { z } from 'zod'
import type { Services } from '../services.ts'
import type { Notify, Start } from '../subscriptions/subscriptions.ts'

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

/** Keeps a subscription running after another network replaces the one on which it began; see `Resets`. */
export function acrossNetworks({ changes }: Pick<Services, 'changes'>, start: Start): Start {
  return (notify) => {
    let stop = start(notify)
    const unsubscribe = changes.on('exchanged', () => {
      stop()
      stop = start(notify)
    })
    return () => {
      unsubscribe()
      stop()
    }
  }
}
