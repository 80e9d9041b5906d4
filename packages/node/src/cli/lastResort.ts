import type { Logger } from '../shared/logger.ts'

/**
 * Handles uncaught errors, which are bugs. After an unhandled promise rejection, the network continues: only the code
 * that awaited it is affected. After an uncaught exception, interrupted work may never finish, so the network stops in
 * order; everything that was answered is stored. Resolves with that exception.
 */
export function catchUncaught(logger: Logger): Promise<Error> {
  process.on('unhandledRejection', (reason) =>
    logger.error({ err: reason }, 'Continued after an unhandled promise rejection'),
  )
  return new Promise((resolve) => {
    process.on('uncaughtException', (error) => {
      logger.error({ err: error }, 'Stopped after an uncaught exception')
      resolve(error)
    })
  })
}
