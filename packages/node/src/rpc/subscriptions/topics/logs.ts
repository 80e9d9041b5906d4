import { memoize } from '../../../shared/caches/memoize.ts'
import { LogFilter } from '../../codecs/logFilter.ts'
import { withDefault } from '../../codecs/optional.ts'
import { LogObject } from '../../codecs/wire.ts'
import { encodeLog } from '../../encode/log.ts'
import { exampleLog } from '../../examples.ts'
import { createLogMatcher } from '../../logMatcher.ts'
import { defineTopic } from '../defineTopic.ts'

const encode = memoize(encodeLog)

/** Reverting to a snapshot sends each of the reverted logs again, with `removed` set. */
export const logs = defineTopic({
  name: 'logs',
  summary:
    'Each log that matches a filter, when its block is sealed; again with `removed` set when its block is reverted.',
  options: withDefault(LogFilter, { blocks: { from: 'latest', to: 'latest' }, addresses: undefined, topics: [] }),
  result: LogObject,
  example: { options: { address: exampleLog.address }, result: exampleLog },
  start({ history, chainEvents }, query, notify) {
    const matches = createLogMatcher(query)
    // Removes only logs that were sent.
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
