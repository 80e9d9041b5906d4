import { randomUUID } from 'node:crypto'
import type { OtherNodes } from '../cluster/forwarder.ts'
import type { Config } from '../config/config.ts'
import { importFinder, type Method, roleOf } from '../rpc/defineMethod.ts'
import { createDispatcher, type Dispatcher, type RemoteSealer } from '../rpc/dispatch/dispatch.ts'
import type { AnsweredCall } from '../rpc/dispatch/envelope.ts'
import type { UnknownProxy } from '../rpc/dispatch/proxyUnknown.ts'
import { isOfEveryNode } from '../rpc/encode/error.ts'
import { encodeStackEntry } from '../rpc/encode/runs/sourceLocation.ts'
import { methods } from '../rpc/methods/index.ts'
import type { Services } from '../rpc/services.ts'
import type { Access } from '../server/access.ts'
import { createAccessControl } from '../server/accessControl.ts'
import { createHttpServer, type HttpServer } from '../server/http.ts'
import { createMetrics } from '../server/monitoring/metrics.ts'
import type { Clock } from '../shared/clock.ts'
import type { ErrorKind } from '../shared/errors.ts'
import type { Logger } from '../shared/logger.ts'
import { createFailureReports } from '../traces/failureReports.ts'
import { createBranchDispatchers } from './branchDispatchers.ts'
import type { NetworkHost } from './networkHost.ts'
import type { NetworkSwitch } from './networkSwitch.ts'

type Needs = {
  services: Services
  /** Runs each request. */
  serve: NetworkSwitch['serve']
  access: Access
  proxy: UnknownProxy | undefined
  /** Set if other nodes share the network. */
  nodes: OtherNodes | undefined
  /** Set if the process serves several networks. */
  host: NetworkHost | undefined
  /** Sees each call once it is answered, those of branches too; must not throw. */
  onAnswered: ((call: AnsweredCall) => void) | undefined
  clock: Clock
  logger: Logger
}

/** The server of a network, and the observers of its calls. */
export function openServer(
  config: Config,
  { services, serve, access, proxy, nodes, host, onAnswered, clock, logger }: Needs,
): HttpServer {
  const metrics = createMetrics(services)
  const failures = createFailureReports({ isOfEveryNode, encode: encodeStackEntry, clock, logger })
  const served = methods.map((method): Method => {
    /** Says of a failure what it may mean. */
    const explain = async (network: Services, error: unknown) =>
      Promise.reject(await failures.explain(network, method, error))
    const call: Method['call'] = (network, params, caller) =>
      serve(() => {
        if (roleOf(method, params) !== 'read' && !method.isLocal) host?.requireRoom()
        let result: unknown
        try {
          result = method.call(network, params, caller)
        } catch (error) {
          return explain(network, error)
        }
        return result instanceof Promise ? result.catch((error) => explain(network, error)) : result
      })
    if (method.role !== 'admin' || config.auditFile === undefined) return { ...method, call }
    return {
      ...method,
      async call(network, params, caller) {
        await network.audit.requireWritable()
        return call(network, params, caller)
      },
    }
  })
  const dispatcherOf = (network: Services, remoteSealer?: RemoteSealer): Dispatcher =>
    createDispatcher(served, network, {
      ...config,
      logger,
      createId: randomUUID,
      proxy,
      remoteSealer,
      onAnswered(call) {
        const { method, params, caller, error } = call
        metrics.observe(call)
        onAnswered?.(call)
        access.count(caller.key, error !== undefined)
        if (method?.role !== 'admin') return undefined
        const noted = { key: caller.key, method: method.name, params, error }
        if (error === 'UNAUTHORIZED' || error === 'RATE_LIMITED') return network.audit.noteRefusal({ ...noted, error })
        const isHere = nodes?.peers.isSealer() !== false || method.isLocal || isOfThisNode(error)
        // Calls that ran on another node are logged there.
        if (!isHere) return undefined
        if (!error && !method.isLocal) network.changes.emit('changed', { method: method.name })
        return network.audit.note(noted)
      },
    })
  return createHttpServer(config, {
    dispatcher: dispatcherOf(services, nodes?.remoteSealer),
    useBranch: createBranchDispatchers({
      use: (branch, cut) => Promise.resolve(serve(() => services.branches.use(branch, cut))),
      dispatcherOf,
      nodes,
    }),
    isImport: importFinder(methods),
    accessControl: createAccessControl(config, {
      access,
      onUnknownKey: (from) =>
        services.audit.noteRefusal({
          key: undefined,
          method: 'authentication',
          params: [],
          error: 'UNAUTHORIZED',
          from,
        }),
    }),
    metrics,
    servedBy: host,
    peers: nodes?.peers,
    services,
    clock,
    logger,
  })
}

/** Whether a call that was to run on another node failed on this one. */
const isOfThisNode = (error: ErrorKind | undefined) => error === 'NO_SEALER' || error === 'WRITE_OUTCOME_UNKNOWN'
