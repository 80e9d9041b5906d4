import type { Logger } from '../shared/logger.ts'

/**
 * What becomes of errors that nothing caught, which are bugs. After a rejected promise that was not awaited the network serves on:
 * only what waited for it is lost. After an exception that left an event or a timer, what it interrupted may never go on: the
 * network stops in order, and what it answered is stored. Resolves with that exception.
 */
export function catchUncaught(logger: Logger): Promise<Error> {
  process.on('unhandledRejection', (reason) =>
    logger.error({ err: reason }, 'Served on after a rejected promise that nothing awaited'),
  )
  return new Promise((resolve) => {
    process.on('uncaughtException', (error) => {
      logger.error({ err: error }, 'Stopped after an exception that nothing caught')
      resolve(error)
    })
  })
}
