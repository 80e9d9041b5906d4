import { z } from 'zod'
import { memoize } from '../../shared/caches.ts'
import { optional } from '../codecs/optional.ts'
import { encodeNetworkInfo, exampleNetworkInfo, NetworkInfoObject } from '../encode/networks/networkInfo.ts'
import { DivergenceObject, encodeDivergence, exampleDivergence } from '../encode/runs/divergence.ts'
import { encodeTrackedEntry, exampleTrackedEntry, TrackedEntryObject } from '../encode/trackedItem.ts'
import { defineTopic } from './defineTopic.ts'

/** Changes in one turn of the event loop are sent as one notification. */
export const network = defineTopic({
  name: 'dev_network',
  summary:
    'The result of dev_getNetworkInfo: at once, and whenever the head, the live chain, its rules or the mining mode changes.',
  options: optional(z.strictObject({})),
  result: NetworkInfoObject,
  example: { result: exampleNetworkInfo },
  start(services, _options, notify) {
    let next: NodeJS.Immediate | undefined
    const tell = () => {
      next = undefined
      notify(encodeNetworkInfo(services))
    }
    const changed = () => {
      next ??= setImmediate(tell)
    }
    const stops = (['block', 'reverted', 'upstream', 'mode', 'rules'] as const).map((name) =>
      services.chainEvents.on(name, changed),
    )
    tell()
    return () => {
      clearImmediate(next)
      for (const stop of stops) stop()
    }
  },
})

export const changes = defineTopic({
  name: 'dev_changes',
  summary: 'The name of each method with the role admin that succeeded: data that it changes should be reloaded.',
  options: optional(z.strictObject({})),
  result: z.strictObject({ method: z.string() }),
  example: { result: { method: 'dev_addFunctionOverride' } },
  start: ({ changes }, _options, notify) => changes.on('changed', notify),
})

const shownEntry = memoize(encodeTrackedEntry)

export const tracked = defineTopic({
  name: 'dev_tracked',
  summary: 'Each stored entry of a tracked item, or of all items without an id.',
  options: optional(z.strictObject({ id: optional(z.string()) })),
  result: TrackedEntryObject,
  example: { options: { id: exampleTrackedEntry.id }, result: exampleTrackedEntry },
  start: ({ tracking }, options, notify) => tracking.subscribe(options?.id, (entry) => notify(shownEntry(entry))),
})

export const divergences = defineTopic({
  name: 'dev_divergences',
  summary: 'Each transaction of the live chain that did not come out here as there, unless a rule expects it.',
  options: optional(z.strictObject({})),
  result: DivergenceObject,
  example: { result: exampleDivergence },
  start: (services, _options, notify) => services.divergences.subscribe((found) => notify(encodeDivergence(found))),
})
