import type { OverrideTable } from '@understudy/evm'
import type { MiningMode } from '../../ethereum/miningMode.ts'
import type { Receipt } from '../../ethereum/receipt.ts'
import type { ExecutionPoint } from '../../execution/execution.ts'
import { type BudgetLimits, createInternalBudget, currentTime, withBudget } from '../../shared/budget/requestBudget.ts'
import { isNetworkError, isUpstreamAway } from '../../shared/errors.ts'
import { Overlay } from '../../state/overlay.ts'
import type { State } from '../../state/state.ts'
import type { Block } from '../block.ts'
import type { Pool } from '../pool/pool.ts'
import { BlockGroup, type GroupNeeds, type UpstreamBlock } from './blockGroup.ts'
import { type BlockObserver, unobserved } from './blockObserver.ts'
import { fillBlock } from './fillBlock.ts'
import { NextBlock } from './nextBlock.ts'
import type { Sealer } from './sealer.ts'

/** The block that would be sealed now, and the state after it. It is never stored. */
export type PendingBlock = {
  block: Block
  receipts: readonly Receipt[]
  /** To execute on it. */
  point: ExecutionPoint
}

export type PendingBlocks = {
  /** Whether it has no transactions and no state of its own, because transactions are sealed at once. */
  isAlwaysEmpty(): boolean
  load(): Promise<PendingBlock>
  /** Ends the work on one. */
  stop(): void
}

type Needs = Omit<GroupNeeds, 'observer'> & {
  state: Pick<State, 'latest'>
  sealer: Pick<Sealer, 'head' | 'pendingHeader' | 'executable'>
  pool: Pick<Pool, 'version'>
  overrides: () => OverrideTable | undefined
  mode: () => MiningMode
  /** The base of the next block: `undefined` keeps the current one. */
  nextBase: () => UpstreamBlock | undefined
}

const observer: BlockObserver = {
  begin: () => unobserved,
  observesEmptyBlocks: () => false,
  async revertTo() {},
}

/**
 * Builds pending blocks when they are asked for. One is kept until something that it is made of changes: the state, the
 * pool, or its time. It is built in turns with the runs of clients, like the work of one of them.
 */
export function createPendingBlocks(limits: BudgetLimits, needs: Needs): PendingBlocks {
  const { state, sealer, pool, overrides, mode, nextBase, blockClock, nextBlock, localRules } = needs
  const stopping = new AbortController()
  let kept: { parts: readonly unknown[]; block: PendingBlock } | undefined
  let building: Promise<PendingBlock> | undefined
  let following: Promise<PendingBlock> | undefined

  const isAlwaysEmpty = () => mode().type === 'instant'

  /** What a pending block is made of. */
  function currentParts(): readonly unknown[] {
    const { timestamp, baseFeePerGas, coinbase, gasLimit, mixHash } = sealer.pendingHeader()
    const { hash } = sealer.head
    const header = [hash, timestamp, baseFeePerGas, coinbase, gasLimit, mixHash]
    return [state.latest(), pool.version, overrides(), mode().type, nextBase()?.hash, localRules.current, ...header]
  }

  function findKept(): PendingBlock | undefined {
    if (!kept) return undefined
    const { parts, block } = kept
    return currentParts().every((part, index) => part === parts[index]) ? block : undefined
  }

  async function build(): Promise<PendingBlock> {
    const parts = currentParts()
    const base = nextBase()
    // The state may change while transactions run.
    const below = base ? state.above(base, state.live(), 'with local state') : state.latest()
    const group = new BlockGroup(sealer.head, {
      ...needs,
      blockClock: blockClock.copy(),
      nextBlock: new NextBlock(nextBlock.settings),
      observer,
    })
    const builder = group.open({ notBefore: base?.header.timestamp, fees: base?.header })
    if (!isAlwaysEmpty()) {
      const time = currentTime(limits.callTimeout * 1000)
      await fillBlock(builder, await sealer.executable(builder.context.baseFee), async ({ transaction }) => {
        try {
          await builder.execute(transaction, time)
          return true
        } catch (error) {
          time.requireLeft()
          if (isUpstreamAway(error) || isNetworkError(error, 'LIMIT_EXCEEDED') || stopping.signal.aborted) throw error
          if (isNetworkError(error, 'INSUFFICIENT_FUNDS')) throw error
          return false
        }
      })
    }
    await group.seal(group.head.base)
    const [built] = group.blocks
    if (!built) throw new Error('The pending block was not sealed')
    const { block, receipts, diff } = built
    const view = new Overlay(below)
    view.apply(diff)
    const pending: PendingBlock = {
      block: { ...block, isPending: true },
      receipts,
      point: { block: builder.context, view },
    }
    kept = { parts, block: pending }
    return pending
  }

  async function load(): Promise<PendingBlock> {
    const found = findKept()
    if (found) return found
    if (!building) {
      building = withBudget(createInternalBudget(limits, stopping.signal), build).finally(() => {
        building = undefined
      })
      return building
    }
    // What is being built may lack what was sent since. All who ask in the meantime share the next one.
    following ??= building
      .catch(() => {})
      .then(() => {
        following = undefined
        return load()
      })
    return following
  }

  return { isAlwaysEmpty, load, stop: () => stopping.abort() }
}
