import type { Branches } from '../branches/branch.ts'
import type { NetworkParts, OpenBranch } from '../branches/branchPoint.ts'
import type { BranchRecords, NamedBranch } from '../branches/branchRecords.ts'
import type { Config } from '../config/config.ts'
import type { LiveContract } from '../contracts/knownContracts.ts'
import type { Compiler } from '../contracts/verification/compiler.ts'
import type { Services } from '../rpc/services.ts'
import { createFilters } from '../rpc/subscriptions/filters.ts'
import { randomId } from '../rpc/subscriptions/subscriptions.ts'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import { createEvents } from '../shared/events.ts'
import { createStopper } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { createBranchDatabase, queriesOf } from '../storage/branchDatabase.ts'
import { BranchWrites } from '../storage/branchWrites.ts'
import type { UpstreamHead } from '../upstream/head/head.ts'
import type { Workers } from '../workers/workers.ts'
import { createServices, type ProcessServices } from './createServices.ts'
import { type OpenedChain, openChain } from './openChain.ts'
import { type OpenedState, openBranchState } from './openState.ts'

type Needs = {
  /** The network, with what its branches have from it. */
  opened: OpenedState
  running: OpenedChain
  process: ProcessServices
  records: BranchRecords
  branchesOf: (network: NetworkParts) => Branches<Services>
  /** Calls the listener with each head of the live chain that the network's base moves to. Returns a function that ends it. */
  onHead(listener: (head: UpstreamHead) => void): () => void
  engine: Engine
  workers: Workers
  liveContracts: readonly LiveContract[]
  compiler: Compiler
  clock: Clock
  logger: Logger
}

/** Opens a branch as the network is opened after a restart, with the live chain, the engine and the workers of the network. */
export async function openBranch(config: Config, branch: NamedBranch, needs: Needs): Promise<OpenBranch<Services>> {
  const stopper = createStopper()
  try {
    return await open(config, branch, needs, stopper)
  } catch (error) {
    await stopper.stop()
    throw error
  }
}

async function open(
  config: Config,
  { number, name, isEphemeral }: NamedBranch,
  { opened, running, process, records, branchesOf, onHead, ...needs }: Needs,
  stopper: ReturnType<typeof createStopper>,
): Promise<OpenBranch<Services>> {
  const { clock, logger } = needs
  const branchRows = { number, name, isEphemeral, layers: () => records.layersOf(number) }
  const limit = config.branchDiskLimit * 1_000_000
  const { queries, engine } = opened.database
  const writes = await BranchWrites.load(queriesOf(queries, engine, branchRows), number, limit)
  stopper.add(async () => writes.close())
  const database = createBranchDatabase(opened.database, branchRows, writes)
  const sideConnection = createBranchDatabase({ ...opened.database, ...opened.sideConnection }, branchRows, writes)
  const state = await openBranchState(opened, { database, sideConnection }, needs)
  const common = { ...needs, recorder: undefined }
  const chainOfBranch = await openChain(
    config,
    {
      ...state,
      ...common,
      branching: records.branchingOf(number),
      startup: process.startupOf(number),
      ofNetwork: running,
    },
    stopper,
  )
  const { chain, wipes, tracking } = chainOfBranch
  const { history, rewinds, blockSettings } = chain
  const parts: NetworkParts = { number, queries: database.queries, state: state.state, history, rewinds, blockSettings }
  const filters = createFilters(config, { clock, createId: randomId })
  stopper.add(async () => filters.stop())
  const ofBranch: ProcessServices = {
    ...process,
    filters,
    changes: createEvents((error) => logger.error({ err: error }, 'A listener failed')),
    async replaceBy() {
      throw new NetworkError('UNSUPPORTED', {
        what: 'a reset of a branch to another block, another live chain or another URL. Reset the network, or make another branch',
      })
    },
  }
  const services = await createServices(
    config,
    { ...state, ...common, ...chainOfBranch, process: ofBranch, branches: branchesOf(parts), isBranch: true },
    stopper,
  )
  stopper.add(() => wipes.stop())
  stopper.add(() => tracking.stop())
  const announce = (head: UpstreamHead) => {
    state.state.setLive(head)
    chain.mining.onUpstreamHead(head)
  }
  const forget = onHead(announce)
  stopper.add(async () => forget())
  await chain.start()
  await wipes.start()
  await tracking.start()
  stopper.add(() => services.invariantFollowUps.stop())
  await services.invariantFollowUps.start()
  const head = opened.upstream?.head.current()
  if (head) announce(head)
  writes.enforceLimit()
  return { ...parts, services, stop: () => stopper.stop() }
}
