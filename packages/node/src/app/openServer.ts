import { randomUUID } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { createDispatcher } from '../rpc/dispatch.ts'
import { methods } from '../rpc/methods/index.ts'
import type { Services } from '../rpc/services.ts'
import type { Access } from '../server/access.ts'
import { createDoor } from '../server/door.ts'
import { createHttpServer, type HttpServer } from '../server/http.ts'
import type { Clock } from '../shared/clock.ts'
import type { Logger } from '../shared/logger.ts'

type Needs = { services: Services; access: Access; clock: Clock; logger: Logger }

/** The server of a network, and those who look on while it answers. */
export function openServer(config: Config, { services, access, clock, logger }: Needs): HttpServer {
  const dispatcher = createDispatcher(methods, services, {
    batchLimit: config.batchLimit,
    logger,
    createId: randomUUID,
    onAnswered({ method, caller, error }) {
      access.count(caller.key, error !== undefined)
      if (method?.role === 'admin' && !error) services.changes.emit('changed', { method: method.name })
    },
  })
  return createHttpServer(config, { dispatcher, door: createDoor(config, { access }), services, clock, logger })
}
