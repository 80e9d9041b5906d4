import { setMaxListeners } from 'node:events'
import type { Address, Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import type { UpstreamBlock } from '../chain/sealing/blockGroup.ts'
import type { BlockShadow } from '../chain/sealing/blockShadow.ts'
import type { MiningControl } from '../chain/sealing/mining.ts'
import { type Clock, pause } from '../shared/clock.ts'
import { NetworkError } from '../shared/errors.ts'
import { createEvents, type Events } from '../shared/events.ts'
import type { State } from '../state/state.ts'
import type { Database } from '../storage/database.ts'
import {
  countShadowedTransactions,
  type ShadowedTransaction,
  type ShadowKind,
} from '../storage/records/chain/shadowedTransactions.ts'
import { loadSetting, saveSetting } from '../storage/records/settings.ts'
import type { ChangeNotice } from '../storage/tables.ts'
import type { Keys } from './accesses.ts'
import { divergenceCounter, emptyCounter } from './divergenceCounter.ts'
import { createPreparation, type PreparationNeeds } from './preparation.ts'
import { followReorg, type ReorgNeeds, remakeWrites } from './reorg.ts'

/** What is shadowed. Numbers are decimal, because it is stored as JSON. */
export type ShadowSettings = {
  enabled: boolean
  /** The first block of the live chain that is shadowed; `null` for the next one. */
  from: string | null
  /** Only transactions that access one of these accounts; empty: all. */
  contracts: Address[]
  /** The share of transactions that run, by their hashes. */
  share: number
  /** At most so many times as fast as the live chain; `null`: as fast as can be. */
  speed: number | null
  /** Which divergences are expected, as text; see shared/shadow.ts. */
  rules: string[]
}

export type ShadowStatus = ShadowSettings & {
  /** Whether it runs: it is enabled, and the mining mode is replay. */
  isActive: boolean
  /** Transactions of the blocks that are kept. */
  counts: Record<ShadowKind, number>
}

/** Runs the live chain's own transactions on the state of this network. */
export type Shadow = BlockShadow & {
  status(): Promise<ShadowStatus>
  settings(): ShadowSettings
  /** What is `undefined` stays. Throws `SHADOW_UNAVAILABLE`. */
  set(settings: { [Name in keyof ShadowSettings]?: ShadowSettings[Name] | undefined }): Promise<void>
  /**
   * Shadows the blocks of the live chain up to this one, on a network that does not follow its head. Resolves when it
   * has, or when the live chain failed: call it again then.
   */
  replayTo(number: bigint): Promise<void>
  /** `shadowed`: transactions of a block that did not come out as on the live chain. */
  events: Events<{ shadowed: ShadowedTransaction[] }>
  /** Call before this node begins to seal. */
  start(): Promise<void>
  refresh(notice: Pick<ChangeNotice, 'queries'>): Promise<void>
  stop(): Promise<void>
}

/** The setting that holds what is shadowed. */
export const shadowKey = 'shadow'

const off: ShadowSettings = { enabled: false, from: null, contracts: [], share: 1, speed: null, rules: [] }

/** Between two blocks, also where the live chain stood still for longer. */
const longestWaitMs = 60_000

const unavailable = (reason: string) => new NetworkError('SHADOW_UNAVAILABLE', { reason })

type Options = {
  /** Whether it starts enabled; `undefined` keeps what was set. */
  shadow: boolean | undefined
  /** The live chain's id; `undefined` if nothing is forked. */
  upstreamChainId: bigint | undefined
  /** Whether the base moves with the live chain. */
  movesBase: boolean
  /** How long the trace of a block may take. */
  limitMs: number
}

type Needs = PreparationNeeds & {
  clock: Clock
  database: Database
  state: State
  history: Pick<History, 'replayOf' | 'chainId' | 'head' | 'origin'>
  rewinds: ReorgNeeds['rewinds']
  mining: Pick<MiningControl, 'mode' | 'setMode' | 'replayTo' | 'useShadow'>
}

export async function createShadow(options: Options, needs: Needs): Promise<Shadow> {
  const { database, history, upstream, clock, logger } = needs
  const { queries } = database
  const stopping = new AbortController()
  // One listener per running request, so this is not a leak.
  setMaxListeners(0, stopping.signal)
  const events: Shadow['events'] = createEvents((error) => logger.error({ err: error }, 'A listener failed'))
  const load = async () => ({ ...off, ...(await loadSetting<ShadowSettings | null>(queries, shadowKey)) })
  const save = (next: ShadowSettings) =>
    database.transaction((transaction) => saveSetting(transaction, shadowKey, next))
  let settings = await load()
  if (options.shadow !== undefined) settings = { ...settings, enabled: options.shadow }
  try {
    if (settings.enabled) requireAvailable()
  } catch (error) {
    logger.warn({ err: error }, 'Did not enable shadowing')
    settings = { ...settings, enabled: false }
  }

  function requireAvailable(): void {
    requireChainId()
    if (!options.movesBase)
      throw unavailable('it does not follow the live chain. Start it without --fork-block-number and --no-follow-head')
  }

  function requireChainId(): void {
    const { upstreamChainId } = options
    if (upstreamChainId === undefined) throw unavailable('it forks no live chain. Start it with --fork-url')
    if (history.chainId !== upstreamChainId)
      throw unavailable(
        `its chain id is ${history.chainId}, and transactions of the live chain are signed for ${upstreamChainId}. Start it without --chain-id`,
      )
  }

  function includes(hash: Word, { accounts }: Keys): boolean {
    const { contracts, share } = settings
    if (contracts.length > 0 && !contracts.some((address) => accounts.has(address))) return false
    return Number.parseInt(hash.slice(2, 10), 16) < share * 2 ** 32
  }

  /** When the last block was due, and its own time in seconds. */
  let last: { at: number; timestamp: bigint } | undefined

  async function pace({ header: { timestamp } }: UpstreamBlock): Promise<void> {
    const { speed } = settings
    const now = clock.now()
    const wait = last && speed !== null ? last.at - now + (Number(timestamp - last.timestamp) * 1000) / speed : 0
    if (wait > 0) await pause(clock, Math.min(wait, longestWaitMs), stopping.signal).catch(() => {})
    last = { at: now + Math.max(0, wait), timestamp }
  }

  /** Tracked items and invariants read it before anything diverged. */
  async function addCounter(): Promise<void> {
    const { state } = needs
    if (state.follows().hasAccount(divergenceCounter)) return
    if ((await state.latest().loadLocalField(divergenceCounter, 'codeHash')) === undefined)
      await state.write(emptyCounter())
  }

  const isActive = () => settings.enabled && needs.mining.mode().type === 'replay'
  const preparation = createPreparation(options, {
    ...needs,
    includes,
    onShadowed: (transactions) => events.emit('shadowed', transactions),
    signal: stopping.signal,
  })

  const shadow: Shadow = {
    events,
    settings: () => settings,
    status: async () => ({ ...settings, isActive: isActive(), counts: await countShadowedTransactions(queries) }),
    async set(changes) {
      const given = Object.entries(changes).filter(([, value]) => value !== undefined)
      const next = { ...settings, ...(Object.fromEntries(given) as Partial<ShadowSettings>) }
      if (next.enabled) requireAvailable()
      await save(next)
      settings = next
      if (!next.enabled) return
      await addCounter()
      await needs.mining.setMode({ type: 'replay' })
    },
    async replayTo(number) {
      if (options.movesBase) throw unavailable('it follows the head of the live chain')
      requireChainId()
      settings = { ...settings, enabled: true }
      await needs.mining.replayTo(number)
    },
    includes: ({ number }) => settings.enabled && number >= BigInt(settings.from ?? 0),
    followReorg: async (next) => (upstream ? followReorg(next, { ...needs, upstream }) : false),
    prepare: preparation.prepare,
    pace,
    async start() {
      // Otherwise other nodes, and this one when it reads what they stored, would not know of the option.
      if (options.shadow !== undefined) await save(settings)
      if (settings.enabled) await addCounter()
      await remakeWrites(needs)
    },
    async refresh(notice) {
      settings = { ...off, ...(await loadSetting<ShadowSettings | null>(notice.queries, shadowKey)) }
    },
    async stop() {
      stopping.abort(new NetworkError('REQUEST_CANCELLED', {}))
    },
  }
  needs.mining.useShadow(shadow)
  return shadow
}
