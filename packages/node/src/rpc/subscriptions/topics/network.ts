import { z } from 'zod'
import { optional } from '../../codecs/optional.ts'
import { encodeNetworkInfo } from '../../encode/networkInfo.ts'
import { getNetworkInfo } from '../../methods/dev/getNetworkInfo.ts'
import { defineTopic } from '../defineTopic.ts'

/** What happens in one turn of the event loop is told in one notification. */
export const network = defineTopic({
  name: 'dev_network',
  summary: 'What dev_getNetworkInfo answers: at once, and whenever the head, the live chain or the mode has changed.',
  options: optional(z.object({})),
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
    const stops = (['block', 'reverted', 'upstream', 'mode'] as const).map((name) =>
      services.chainEvents.on(name, changed),
    )
    tell()
    return () => {
      clearImmediate(next)
      for (const stop of stops) stop()
    }
  },
})
