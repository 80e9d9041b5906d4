import type { OverrideTable, Word } from '@understudy/evm'
import type { History } from '../chain/history/history.ts'
import type { UpstreamBlock } from '../chain/sealing/blockGroup.ts'
import type { PreparedBlock } from '../chain/sealing/blockShadow.ts'
import type { LiveBlock } from '../fidelity/liveBlock.ts'
import type { Engine } from '../shared/engine.ts'
import type { Logger } from '../shared/logger.ts'
import { BaseView } from '../state/baseView.ts'
import type { State } from '../state/state.ts'
import type { Database } from '../storage/database.ts'
import {
  addShadowedTransactions,
  addShadowKeys,
  type ShadowedTransaction,
} from '../storage/records/chain/shadowedTransactions.ts'
import { type BaseState, createBaseState } from '../upstream/cache/baseState.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Base } from '../upstream/wantedState.ts'
import { type Keys, keysOfRun, wantedOf } from './accesses.ts'
import { createLiveBlocks } from './liveBlocks.ts'
import { type LiveRun, runLive } from './liveRun.ts'
import { LocalKeys } from './localKeys.ts'
import { shadowBlock } from './shadowBlock.ts'

export type PreparationNeeds = {
  database: Pick<Database, 'queries'>
  state: Pick<State, 'latest' | 'follows' | 'seq'>
  engine: Engine
  overridingEngine: Engine
  overrides: () => OverrideTable | undefined
  history: Pick<History, 'replayOf'>
  baseStates: (base: Base) => BaseState
  /** `undefined` if nothing is forked. */
  upstream: Pick<Upstream, 'request' | 'readState'> | undefined
  logger: Logger
}

type Needs = PreparationNeeds & {
  /** Whether a transaction is to run here. */
  includes(hash: Word, keys: Keys): boolean
  /** Called with the transactions of a block that did not come out as on the live chain, when it is durable. */
  onShadowed(transactions: ShadowedTransaction[]): void
  signal: AbortSignal
}

/** Reads blocks of the live chain, and runs those on their own state that touch something local. */
export function createPreparation(options: { limitMs: number }, needs: Needs) {
  const { database, state, engine, overridingEngine, overrides, history, baseStates, includes, signal, logger } = needs
  const { queries } = database
  const { upstream } = needs
  const blocks = upstream && createLiveBlocks(options, { upstream, signal, logger })

  /** Which of the keys that a live block accesses are not the live chain's here. */
  async function localKeys(keys: readonly Keys[]): Promise<LocalKeys> {
    const addresses = keys.flatMap(({ accounts, slots }) => [...accounts, ...slots.keys()])
    return LocalKeys.load(addresses, { queries, state, overrides })
  }

  async function touched(keys: readonly Keys[]): Promise<Keys[]> {
    const local = await localKeys(keys)
    const found: Keys[] = []
    for (const each of keys) if (await local.touches(each)) found.push(each)
    return found
  }

  const run = (live: LiveBlock) => runLive(live, { history, engine }, signal)

  return {
    async prepare(block: UpstreamBlock): Promise<PreparedBlock> {
      if (!upstream || !blocks) throw new Error('A network without a live chain has no blocks of one')
      const { number, hash, header } = block
      let { live, accesses } = await blocks.load(block)

      /** Again with its traces, if it has a list only and one of its transactions does not come out as there. */
      async function runAll(): Promise<LiveRun> {
        const first = await run(live)
        const comesOut = first.unreproducible.size === 0 && first.results.every((result) => result?.type === 'done')
        if (comesOut || live.prestates || !accesses) return first
        const traced = await blocks?.loadTraced(block)
        if (!traced?.live.prestates) return first
        live = traced.live
        return run(live)
      }

      const found = accesses && (await touched(accesses))
      let ran: LiveRun | undefined
      if (live.transactions.length > 0 && found?.length !== 0) {
        // What they read here, mostly, so that the block does not wait for it.
        const before = new BaseView(baseStates({ number: number - 1n, hash: header.parentHash }))
        for (const keys of found ?? []) await before.load(wantedOf(keys)).catch(() => {})
        ran = await runAll()
      }
      return {
        async run(builder) {
          const nothing = { save: async () => {}, committed() {} }
          if (live.transactions.length === 0) return nothing
          if (!ran && (await touched(accesses ?? [])).length === 0) return nothing
          ran ??= await runAll()
          const keys = ran.results.flatMap((result) => (result?.type === 'done' ? [keysOfRun(result)] : []))
          const { transactions, keys: local } = await shadowBlock(live, ran, builder, {
            queries,
            overridingEngine,
            local: await localKeys([...(accesses ?? []), ...keys]),
            // It is not shared: while a test node mines, it answers for its newest block with the state of the next one.
            after: new BaseView(createBaseState({ number, hash }, upstream.readState)),
            includes,
          })
          return {
            async save(transaction) {
              await addShadowedTransactions(transaction, transactions)
              await addShadowKeys(transaction, local)
            },
            committed() {
              const others = transactions.filter(({ kind }) => kind !== 'same')
              if (others.length > 0) needs.onShadowed(others)
              const counts = { block: number, shadowed: transactions.length, others: others.length }
              logger.debug(counts, 'Shadowed a block of the live chain')
            },
          }
        },
      }
    },
  }
}
