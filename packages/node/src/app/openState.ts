import type { AskUpstream } from '../chain/origins.ts'
import type { Config } from '../config/config.ts'
import { createContractLibrary } from '../contracts/contractLibrary.ts'
import { linkWrittenCode } from '../contracts/recognition.ts'
import { genesisBlock } from '../ethereum/genesis.ts'
import { loadGenesis } from '../network/genesisFile.ts'
import { openCache, openUpstream } from '../network/liveChain.ts'
import {
  asRefusal,
  forkedNetwork,
  loadKnownChain,
  loadStoredNetwork,
  type Network,
  openNetwork,
} from '../network/network.ts'
import type { Recorder } from '../network/openRecorder.ts'
import { currentBudget } from '../shared/budget/requestBudget.ts'
import type { Clock } from '../shared/clock.ts'
import type { Engine } from '../shared/engine.ts'
import type { createStopper } from '../shared/lifecycle.ts'
import type { Logger } from '../shared/logger.ts'
import { createState } from '../state/state.ts'
import { createId } from '../storage/createId.ts'
import type { Database, PostgresLocation } from '../storage/database.ts'
import { loadNewestBlock } from '../storage/records/chain/blocks.ts'
import { loadSetting, upstreamProfilesKey } from '../storage/records/settings.ts'
import type { EphemeralStore } from '../storage/sqlite/openEphemeral.ts'
import { allocatedBaseState } from '../upstream/cache/baseState.ts'
import type { Base } from '../upstream/wantedState.ts'
import { joinNetwork } from './joinNetwork.ts'

type Needs = {
  engine: Engine
  /** When the process started, in milliseconds since 1970: a network that forks nothing begins then. */
  startedAt: number
  /** Where the server listens; `undefined` until it does. */
  listensAt: () => string | undefined
  recorder: Recorder | undefined
  /** Where a network is that keeps nothing. */
  store: EphemeralStore | undefined
  /** Aborted when the network is no longer wanted. */
  signal: AbortSignal | undefined
  clock: Clock
  logger: Logger
}

export type OpenedState = Awaited<ReturnType<typeof openState>>

/** Opens the database, the live chain and, from both, the state of the network. */
export async function openState(
  config: Config,
  { engine, startedAt, listensAt, recorder, store, signal, clock, logger }: Needs,
  stopper: ReturnType<typeof createStopper>,
) {
  const location = store?.database.location ?? locationOf(config)
  const described = config.init === undefined ? undefined : await loadGenesis(config.init)
  const { database, sideConnection, membership } = await joinNetwork(
    config,
    { store, listensAt, clock, logger },
    stopper,
  )
  const isSealer = () => membership?.isSealer() ?? true
  const stored = await loadStoredNetwork(database.queries)
  const known = await loadKnownChain(database.queries, stored)
  const upstream = openUpstream(
    config,
    stored?.forkUrls ?? config.forkUrls,
    recorder?.known ?? known,
    { recorded: recorder, profiles: await loadSetting(database.queries, upstreamProfilesKey), logger, clock },
    stopper,
  )
  // It may have been given up while it joined the other nodes.
  signal?.throwIfAborted()
  signal?.addEventListener('abort', () => void upstream?.stop(), { once: true })
  // Asked in the round trip of the first contact.
  const forked = stored ? undefined : upstream && forkedNetwork(config, upstream)
  forked?.catch(() => {})
  await upstream?.start().catch((error) => {
    throw asRefusal(error, location, stored)
  })
  const askUpstream =
    upstream &&
    ((method: string, params: readonly unknown[], options: Parameters<AskUpstream>[2] = {}) =>
      upstream.request<never>(method, params, { ...options, signal: currentBudget()?.signal }))
  const beginsAt = config.timestamp ?? described?.timestamp ?? Math.floor(startedAt / 1000)
  const genesis = () => genesisBlock({ ...described, timestamp: BigInt(beginsAt) })
  const network = await openNetwork({ location, described, ...config }, { database, upstream, forked, genesis })
  const { origin } = network
  if (upstream) recorder?.begin(network, upstream.chainId())
  const base = await loadBase(database, network)
  const live = upstream?.head.current() ?? base
  const cache =
    upstream &&
    (await openCache(
      config,
      { upstream, database, clock, logger, base, recorded: recorder, isStored: isSealer },
      stopper,
    ))
  const begun = allocatedBaseState(network.alloc)
  const baseStates = cache ? cache.state : () => begun
  const needs = { database, baseStates, engine, clock }
  return {
    database,
    sideConnection,
    membership,
    isSealer,
    stored,
    upstream,
    askUpstream,
    network,
    cache,
    baseStates,
    base,
    live,
    ...(await openLocalState({ isFork: upstream !== undefined, origin: origin.base.number, base, live }, needs)),
  }
}

/** Opens the state of a branch, which has the live chain and its cache from its network. */
export async function openBranchState(
  opened: OpenedState,
  { database, sideConnection }: Pick<OpenedState, 'database' | 'sideConnection'>,
  { engine, clock }: Pick<Needs, 'engine' | 'clock'>,
): Promise<OpenedState> {
  const { network, upstream, baseStates } = opened
  const base = await loadBase(database, network)
  const live = upstream?.head.current() ?? base
  const start = { isFork: upstream !== undefined, origin: network.origin.base.number, base, live }
  const local = await openLocalState(start, { database, baseStates, engine, clock })
  return { ...opened, database, sideConnection, membership: undefined, base, live, ...local }
}

type StateArguments = Parameters<typeof createState>

/** Opens what a database has of its own, and links code that is written to the imports that have it. */
async function openLocalState(
  start: StateArguments[0],
  needs: Omit<StateArguments[1], 'observeCode'> & Pick<Needs, 'clock'>,
) {
  const library = await createContractLibrary({ ...needs, createId })
  const state = await createState(start, { ...needs, observeCode: linkWrittenCode(library) })
  return { library, state }
}

/** The block of the live chain from which the newest block reads. */
async function loadBase({ queries }: Database, { origin }: Network): Promise<Base> {
  const newest = await loadNewestBlock(queries)
  return newest ? { number: newest.baseNumber, hash: newest.baseHash } : origin.base
}

/** Where a configuration wants the network to be kept. */
function locationOf({ dataDirectory, databaseUrl, network }: Config): string | PostgresLocation {
  return databaseUrl === undefined ? dataDirectory : { url: databaseUrl, network }
}
