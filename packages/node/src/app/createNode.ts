import type { Server } from 'node:http'
import { availableParallelism } from 'node:os'
import { createEvm, type Engine } from '@understudy/evm'
import { openAuditFile } from '../audit/auditFile.ts'
import { NetworkBranches } from '../branches/branches.ts'
import { warmHeads } from '../chain/headWarmer.ts'
import { createForwarder, peersOf } from '../cluster/forwarder.ts'
import type { Config } from '../config/config.ts'
import type { LiveContract } from '../contracts/knownContracts.ts'
import { createCompiler } from '../contracts/verification/compiler.ts'
import { Turns } from '../execution/turns.ts'
import { saveNetwork, saveNextNetwork } from '../network/network.ts'
import { openRecorder, type Recorder } from '../network/openRecorder.ts'
import type { Dispatcher } from '../rpc/dispatch/dispatch.ts'
import type { AnsweredCall } from '../rpc/dispatch/envelope.ts'
import type { UnknownProxy } from '../rpc/dispatch/proxyUnknown.ts'
import type { Services } from '../rpc/services.ts'
import { createFilters } from '../rpc/subscriptions/filters.ts'
import { randomId } from '../rpc/subscriptions/subscriptions.ts'
import { createAccess } from '../server/access.ts'
import type { UseBranch } from '../server/webSockets.ts'
import { type Clock, systemClock } from '../shared/clock.ts'
import type { NetworkError } from '../shared/errors.ts'
import { createEvents } from '../shared/events.ts'
import { createStopper, type Service } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import type { NetworkNumber } from '../storage/branches/layers.ts'
import { type EphemeralStore, openEphemeral } from '../storage/sqlite/openEphemeral.ts'
import type { UpstreamHead } from '../upstream/head/head.ts'
import { createWorkers } from '../workers/workers.ts'
import { createClusterServices } from './clusterServices.ts'
import { createServices, type ProcessServices } from './createServices.ts'
import { announceHeads } from './headAnnouncer.ts'
import type { NetworkHost } from './networkHost.ts'
import { createNetworkSwitch, type OpenedNetwork } from './networkSwitch.ts'
import { openBranch } from './openBranch.ts'
import { openChain } from './openChain.ts'
import { openServer } from './openServer.ts'
import { openState } from './openState.ts'
import { watchProblems } from './recentProblems.ts'

/** A network: open once created, running between `start` and `stop`. */
export type Node = Service & {
  readonly services: Services
  /** The URL that it listens on, without a trailing slash. Known after `start`. */
  url(): string
  /** Its HTTP server. One that a host serves does not listen: it gets the events `request` and `upgrade` from the host. */
  readonly http: Server
  /** Answers its requests, until it is stopped. */
  readonly dispatcher: Dispatcher
  readonly useBranch: UseBranch
  /** Resolves with the reason when the network cannot continue and must be stopped. */
  readonly failed: Promise<NetworkError>
}

type Given = {
  engine: Engine
  logger: Logger
  clock?: Clock
  /** Contracts of the live chain that are known, and that every import is compared with; others are compared when they are looked at. */
  liveContracts?: readonly LiveContract[]
  /** The built file of worker threads, if it is not next to the one that starts them. */
  workerFile?: URL
  /** Set if the process serves several networks behind one port. */
  host?: NetworkHost
  /** Sees each call once it is answered, those of branches too; must not throw. */
  onAnswered?: (call: AnsweredCall) => void
  /** Aborted when the network is no longer wanted: what waits for the live chain fails, and so does the opening. */
  signal?: AbortSignal
}

type Needs = Given &
  Required<Pick<Given, 'clock' | 'liveContracts'>> & {
    recorder: Recorder | undefined
    store: EphemeralStore | undefined
    /** Where the server listens, also while networks are exchanged behind it; `undefined` until it does. */
    listensAt: () => string | undefined
  }

/**
 * Opens the network of a configuration; without a fork URL, one that forks nothing. Throws `UPSTREAM_UNAVAILABLE`,
 * `DATA_DIRECTORY_IN_USE`, `DATA_DIRECTORY_CHAIN_MISMATCH`…
 */
export async function createNode(chosen: Config, given: Given): Promise<Node> {
  const problems = watchProblems(given.logger, { clock: given.clock ?? systemClock })
  const { config, recorder } = await openRecorder(chosen, { clock: systemClock, ...given, logger: problems.logger })
  let listensAt: string | undefined
  const store = given.host ? given.host.store : config.ephemeral ? await openEphemeral() : undefined
  const closeStore = async () => given.host ?? (await store?.close())
  const needs = {
    clock: systemClock,
    liveContracts: [],
    ...given,
    ...{ logger: problems.logger, recorder, store, listensAt: () => listensAt },
  }
  const { clock, logger } = needs
  const closing = async (error: unknown) => {
    await closeStore()
    throw error
  }
  const { auditFile: auditPath } = config
  const auditFile = auditPath === undefined ? undefined : await openAuditFile(auditPath, { logger }).catch(closing)
  const processServices: ProcessServices = {
    startedAt: clock.now(),
    problems: problems.list,
    auditFile,
    access: given.host?.access ?? createAccess(config, { clock }),
    networks: given.host?.networks,
    filters: createFilters(config, { clock, createId: randomId }),
    changes: createEvents((error) => logger.error({ err: error }, 'A listener failed')),
    startupOf: startupsOf(given.host?.started ?? new Set()),
    replaceBy: (next, local) => networkSwitch.replaceBy(next, local),
  }
  const openNext = async () => {
    const stopper = createStopper()
    try {
      return await open(config, processServices, needs, stopper)
    } catch (error) {
      await stopper.stop()
      throw error
    }
  }
  const first = await openNext().catch(async (error) => {
    await auditFile?.close()
    return closing(error)
  })
  const networkSwitch = createNetworkSwitch({ first, open: openNext, clock })
  const { services, serve, failed } = networkSwitch
  const proxy: UnknownProxy | undefined = config.proxyUnknown
    ? (method, params) => services.askUpstream(method, params as [])
    : undefined
  const { access } = processServices
  const { host, onAnswered } = given
  const server = openServer(config, {
    ...{ services, serve, access, proxy, nodes: first.nodes, host, onAnswered, clock, logger },
  })
  return {
    services,
    url: server.url,
    http: server.http,
    ...{ dispatcher: server.dispatcher, useBranch: server.useBranch },
    failed,
    async start() {
      await networkSwitch.start()
      await recorder?.start()
      await server.start()
      listensAt = server.url()
    },
    async stop() {
      await server
        .stop()
        .finally(() => networkSwitch.stop())
        .finally(closeStore)
        .finally(() => processServices.filters.stop())
        .finally(() => auditFile?.close())
        .finally(() => recorder?.stop())
    },
  }
}

/** `started`: the network and the branches that were opened since the process started. */
const startupsOf =
  (started: Set<NetworkNumber>): ProcessServices['startupOf'] =>
  (network) => ({ isOver: () => started.has(network), end: () => void started.add(network) })

async function open(
  config: Config,
  process: ProcessServices,
  { engine: main, logger, clock, liveContracts, recorder, store, listensAt, workerFile, host, signal }: Needs,
  stopper: ReturnType<typeof createStopper>,
): Promise<OpenedNetwork> {
  const count = config.workers ?? availableParallelism() - 1
  const shared = count === 0 ? host?.workers : undefined
  const workers = shared ?? createWorkers({ ...config, workers: count }, { clock, logger, file: workerFile })
  if (!shared) stopper.add(() => workers.stop())
  const compilerFile = workerFile && new URL('../contracts/verification/solcThread.js', workerFile)
  const engine = new Turns({ main, createLane: createEvm, threads: workers, clock })
  stopper.add(async () => engine.stop())
  const needs = {
    engine,
    startedAt: process.startedAt,
    listensAt,
    liveContracts,
    compiler: createCompiler({ clock, file: compilerFile }),
    recorder,
    store,
    signal,
    clock,
    logger,
  }
  const opened = await openState(config, needs, stopper)
  const heads = createEvents<{ head: UpstreamHead }>((error) => logger.error({ err: error }, 'A listener failed'))
  const branches: NetworkBranches<Services> = await NetworkBranches.open(config, {
    database: opened.database,
    network: () => ({ ...parts, services }),
    startupOf: process.startupOf,
    listensAt: () => (host ? listensAt() : (config.publicUrl ?? listensAt())),
    open: (branch) =>
      openBranch(config, branch, {
        ...needs,
        opened,
        running,
        process,
        workers,
        records: branches.records,
        branchesOf: (parts) => branches.of(parts),
        onHead: (listener) => heads.on('head', listener),
      }),
    clock,
    logger,
  })
  let leaving = async () => {}
  stopper.add(() => leaving())
  const running = await openChain(
    config,
    { ...opened, ...needs, branching: branches.records.branchingOf(0), startup: process.startupOf(0) },
    stopper,
  )
  const parts = {
    number: 0,
    queries: opened.database.queries,
    state: opened.state,
    history: running.chain.history,
    rewinds: running.chain.rewinds,
    blockSettings: running.chain.blockSettings,
  }
  const services = await createServices(
    config,
    { ...opened, ...running, process, workers, branches: branches.of(parts), isBranch: false, ...needs },
    stopper,
  )
  const { database, membership, network, upstream, cache, library, state } = opened
  const { rules, chain, wipes, tracking } = running
  const { chainEvents, history, mining, rewinds } = chain

  const forwarder = membership && createForwarder({ membership, clock })
  if (forwarder) stopper.add(() => forwarder.stop())
  const clusterServices = createClusterServices({ ...services, ...running, library, networkBranches: branches })

  return {
    services,
    failed: database.failed,
    nodes: membership && forwarder && { remoteSealer: forwarder, peers: peersOf(membership) },
    async start() {
      stopper.add(() => wipes.stop())
      stopper.add(() => tracking.stop())
      stopper.add(() => branches.stop())
      stopper.add(() => services.invariantFollowUps.stop())
      stopper.add(() => services.webhook.stop())
      if (upstream && cache) {
        const announce = (head: UpstreamHead) => {
          state.setLive(head)
          mining.onUpstreamHead(head)
          heads.emit('head', head)
        }
        stopper.add(await announceHeads({ head: upstream.head, cache, rules, announce }))
        stopper.add(warmHeads({ history, chainEvents, state, cache, logger }))
      }
      if (membership) await membership.begin(clusterServices)
      else await clusterServices.beginSealing('at startup')
      services.fidelity.begin()
    },
    leaveTo(next, local) {
      leaving = () =>
        local === 'kept'
          ? database.transaction((transaction) => saveNetwork(transaction, next))
          : rewinds.abandon((transaction) => saveNextNetwork(transaction, next, network))
      return stopper.stop()
    },
    stop: () => stopper.stop(),
  }
}
