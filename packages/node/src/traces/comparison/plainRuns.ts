import type { Address, StateDiff, TracedRun, Word } from '@understudy/evm'
import type { BlockReplay } from '../../chain/history/blockReplay.ts'
import type { History } from '../../chain/history/history.ts'
import { zeroAddress } from '../../ethereum/constants.ts'
import type { CallOverrides, CallRequest, Execution, ExecutionPoint } from '../../execution/execution.ts'
import type { Engine } from '../../shared/engine.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { BlockTag } from '../../state/blockTag.ts'
import { emptyDiff } from '../../state/diff.ts'
import { Overlay } from '../../state/overlay.ts'
import { type LoadingView, loadAccount } from '../../state/view.ts'
import { beginTransaction } from '../runs/runBlock.ts'
import { type Runnable, type RunTime, runTraced } from '../runs/runTraced.ts'

/** What a comparison runs: a sealed transaction, or a call after a block. */
export type RunSubject = Word | { call: CallRequest; block: BlockTag; overrides?: CallOverrides }

/**
 * How it runs, without function overrides. `network`: on the state that it had, or of the block. `live`: on the state of the
 * live chain on which that block is based, without any local state but the sender's balance and nonce, which pay for it.
 */
export type PlainState = 'network' | 'live'

/** Runs what is compared without function overrides. Throws `NOT_A_FORK`. */
export type PlainRuns = (subject: RunSubject, on: PlainState) => Promise<TracedRun>

type Needs = {
  history: Pick<History, 'at' | 'loadReplay' | 'loadBlock' | 'resolve'>
  execution: Pick<Execution, 'prepare'>
  /** Without overrides. */
  engine: Engine
  /** The state of the live chain at a block; `undefined` if nothing is forked. */
  liveAt: ((block: History['origin']) => LoadingView) | undefined
  /** The block of a sealed transaction. */
  requireBlock(hash: Word): Promise<Word>
  /** The state after the first `count` transactions of a block. */
  pointAfter(replay: BlockReplay, count: number, time: RunTime): Promise<ExecutionPoint>
  newTime(): RunTime
}

export function createPlainRuns(needs: Needs): PlainRuns {
  const { history, execution, engine, liveAt, requireBlock, pointAfter, newTime } = needs

  /** The live chain below a block, with what pays for the message. */
  async function liveBelow(tag: BlockTag, from: Address, paying: { balance: bigint; nonce: bigint }): Promise<Overlay> {
    if (!liveAt) throw new NetworkError('NOT_A_FORK', { what: 'a run on the live chain' })
    const { origin, number, hash } = await history.resolve(tag)
    const found = origin === 'local' ? await history.loadBlock({ hash }) : undefined
    const view = new Overlay(liveAt(found?.origin === 'local' ? found.value.base : { number, hash }))
    const diff: StateDiff = emptyDiff()
    diff.accounts.set(from, paying)
    view.apply(diff)
    return view
  }

  async function transaction(hash: Word, on: PlainState, time: RunTime): Promise<Runnable> {
    const blockHash = await requireBlock(hash)
    const replay = await history.loadReplay({ hash: blockHash })
    const index = replay.transactions.findIndex((each) => each.hash === hash)
    const found = replay.transactions[index]
    if (!found?.message) throw new NetworkError('UNSUPPORTED', { what: 'running this transaction again, here' })
    const { message } = found
    const { block, view: before } = await pointAfter(replay, index, time)
    beginTransaction(replay.state, found)
    if (on === 'network') return { message, block, view: before, kind: 'transaction', time }
    const sender = await paying(before, message.from)
    const nonce = message.nonce ?? sender.nonce
    const view = await liveBelow({ hash: blockHash }, message.from, { ...sender, nonce })
    return { message, block, view, kind: 'transaction', time }
  }

  async function paying(view: LoadingView, from: Address) {
    const { balance, nonce } = await loadAccount(view, from)
    return { balance, nonce }
  }

  async function call(subject: Exclude<RunSubject, Word>, on: PlainState, time: RunTime): Promise<Runnable> {
    const { call: request, block: tag, overrides } = subject
    const at = await history.at(tag)
    const from = request.from ?? zeroAddress
    const view = on === 'network' ? at.view : await liveBelow(tag, from, await paying(at.view, from))
    const { message, point } = await execution.prepare(request, { ...at, view }, overrides)
    return { message, ...point, kind: 'call', time }
  }

  return async (subject, on) => {
    const time = newTime()
    const runnable = typeof subject === 'string' ? await transaction(subject, on, time) : await call(subject, on, time)
    return runTraced(engine, runnable)
  }
}
