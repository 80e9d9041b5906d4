import type { BlockContext, Word } from '@understudy/evm'
import type { History } from '../../chain/history/history.ts'
import type { SuggestTip } from '../../chain/submission/suggestedTip.ts'
import type { ExecutionOptions } from '../../execution/execution.ts'
import { currentTime } from '../../shared/budget/requestBudget.ts'
import type { Engine } from '../../shared/engine.ts'
import type { LoadingView } from '../../state/view.ts'
import type { Traces } from '../../traces/traces.ts'
import { describeRun } from './describeRun.ts'
import type { CallOutcome, OutcomeBlock, Outcomes } from './outcome.ts'
import { runSequence, startOf } from './sequence.ts'

type Needs = {
  history: Pick<History, 'at' | 'resolve'>
  traces: Pick<Traces, 'pointWithin' | 'runTransaction'>
  /** With the current function overrides. */
  engine: Engine
  suggestTip: SuggestTip
}

/** Limits for all calls of a request together: `callGasLimit`, and `callTimeout` in seconds. */
export function createOutcomes({ callGasLimit, callTimeout }: ExecutionOptions, needs: Needs): Outcomes {
  const { history, traces, engine, suggestTip } = needs

  return {
    async simulate(request) {
      const { block: tag, transactionIndex, onFailure = 'continue' } = request
      const [{ hash }, at] = await Promise.all([
        history.resolve(tag),
        transactionIndex === undefined
          ? history.at(tag)
          : traces.pointWithin(tag, transactionIndex, 'transactionIndex'),
      ])
      const start = startOf(request, at)
      const options = { engine, gasLimit: callGasLimit, time: currentTime(callTimeout * 1000), suggestTip }
      const results: CallOutcome[] = []
      let failed: number | undefined
      for await (const each of runSequence(request, start, options)) {
        const outcome = await describeRun(each)
        if (outcome.status === 'failed') failed ??= results.length
        results.push(outcome)
        if (failed !== undefined && onFailure !== 'continue') break
      }
      const isUndone = failed !== undefined && onFailure === 'revert'
      return { block: blockOf(start.block, hash), results, failed, isUndone }
    },

    async ofTransaction(hash) {
      const run = await traces.runTransaction(hash)
      const position = run.transactionPosition
      const view = run.view as LoadingView
      return {
        hash,
        block: blockOf(run.block, position?.blockHash ?? hash),
        transactionIndex: position?.transactionIndex ?? 0,
        outcome: await describeRun({ request: {}, run, kind: 'transaction', view }),
      }
    },
  }
}

function blockOf(block: BlockContext, hash: Word): OutcomeBlock {
  const { number, timestamp, coinbase, gasLimit, baseFee, prevRandao, blobBaseFee, chainId, fork } = block
  return { number, hash, timestamp, coinbase, gasLimit, baseFee, prevRandao, blobBaseFee, chainId, fork }
}
