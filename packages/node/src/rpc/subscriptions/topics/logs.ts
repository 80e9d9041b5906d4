import { memoize } from '../../../shared/memoize.ts'
import { LogFilter } from '../../codecs/logFilter.ts'
import { withDefault } from '../../codecs/optional.ts'
import { LogObject } from '../../codecs/wire.ts'
import { encodeLog } from '../../encode/log.ts'
import { exampleLog } from '../../examples.ts'
import { createLogMatcher } from '../../logMatcher.ts'
import { defineTopic } from '../defineTopic.ts'

const encode = memoize(encodeLog)

/** Going back to a snapshot takes back what was told: each of those logs comes again, with `removed` true. */
export const logs = defineTopic({
  name: 'logs',
  summary: 'Each log that matches a filter, when its block is sealed; and again as removed when its block is undone.',
  options: withDefault(LogFilter, { blocks: { from: 'latest', to: 'latest' }, addresses: undefined, topics: [] }),
  result: LogObject,
  example: { options: { address: exampleLog.address }, result: exampleLog },
  start({ history, chainEvents }, query, notify) {
    const matches = createLogMatcher(query)
    // Only what was told is taken back.
    let since = history.head().header.number
    const stops = [
      chainEvents.on('block', ({ receipts }) => {
        for (const { logs } of receipts) for (const log of logs) if (matches(log)) notify(encode(log))
      }),
      chainEvents.on('logsRemoved', (logs) => {
        for (const log of logs) if (log.blockNumber > since && matches(log)) notify({ ...encode(log), removed: true })
      }),
      chainEvents.on('reverted', ({ header }) => {
        if (header.number < since) since = header.number
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  },
})
