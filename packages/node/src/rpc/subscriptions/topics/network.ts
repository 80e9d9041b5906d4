import { z } from 'zod'
import { optional } from '../../codecs/optional.ts'
import { encodeNetworkInfo } from '../../encode/networks/networkInfo.ts'
import { getNetworkInfo } from '../../methods/dev/getNetworkInfo.ts'
import { defineTopic } from '../defineTopic.ts'

/** Changes in one turn of the event loop are sent as one notification. */
export const network = defineTopic({
  name: 'dev_network',
  summary:
    'The result of dev_getNetworkInfo: at once, and whenever the head, the live chain, its rules or the mining mode changes.',
  options: optional(z.strictObject({})),
  result: getNetworkInfo.result,
  example: { result: getNetworkInfo.example.result },
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
