import type { BlockContext, Word } from '@understudy/evm'
import type { History } from '../../chain/history/history.ts'
import type { SuggestTip } from '../../chain/submission/suggestedTip.ts'
import type { Execution, ExecutionOptions } from '../../execution/execution.ts'
import { currentBudget, currentTime } from '../../shared/budget/requestBudget.ts'
import { isNetworkError } from '../../shared/errors.ts'
import type { LoadingView } from '../../state/view.ts'
import type { Traces } from '../../traces/traces.ts'
import { type DescribeNeeds, describeRun } from './describeRun.ts'
import type { CallOutcome, OutcomeBlock, OutcomeRequest, Outcomes } from './outcome.ts'
import { type SequenceRun, sequenceRunOf, shownLimit } from './run.ts'
import { runSequence, startOf } from './sequence.ts'
import { createTokenFacts } from './tokens.ts'

type Needs = Omit<DescribeNeeds, 'facts'> & {
  history: Pick<History, 'at' | 'resolve'>
  traces: Pick<Traces, 'pointWithin' | 'runTransaction'>
  execution: Pick<Execution, 'estimateGas'>
}

/** Limits for all calls of a request together: `callGasLimit`, and `callTimeout` in seconds. */
export function createOutcomes({ callGasLimit, callTimeout }: ExecutionOptions, needs: Needs): Outcomes {
  const { history, traces, execution } = needs
  const describing = { ...needs, facts: createTokenFacts() }
  const newTime = () => currentTime(callTimeout * 1000)

  /** The lowest gas limit with which a call succeeds that has succeeded. */
  async function sufficientGas({ request, view, block }: SequenceRun): Promise<bigint | undefined> {
    try {
      return await execution.estimateGas(request, { block, view })
    } catch (error) {
      if (isNetworkError(error, 'EXECUTION_REVERTED') || isNetworkError(error, 'EXECUTION_FAILED')) return undefined
      throw error
    }
  }

  return {
    async simulate(request) {
      const { block: tag, transactionIndex, onFailure = 'continue' } = request
      const suggestTip = askedEarly(request, needs.suggestTip)
      const [{ hash }, at] = await Promise.all([
        history.resolve(tag),
        transactionIndex === undefined
          ? history.at(tag)
          : traces.pointWithin(tag, transactionIndex, 'transactionIndex'),
      ])
      const start = startOf(request, at)
      const time = newTime()
      const options = { engine: needs.engine, gasLimit: callGasLimit, time, suggestTip }
      const how = { isQuick: request.detail === 'quick', time }
      const size = createSizeCheck()
      const results: CallOutcome[] = []
      let failed: number | undefined
      for await (const each of runSequence(request, start, options)) {
        size.add(each)
        const outcome = await describeRun(each, { ...describing, suggestTip }, how)
        if (outcome.status === 'failed') failed ??= results.length
        else if (request.gasLimits) outcome.sufficientGas = await sufficientGas(each)
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
      const each = sequenceRunOf({ request: {}, run, kind: 'transaction', view, block: run.block })
      createSizeCheck().add(each)
      return {
        hash,
        block: blockOf(run.block, position?.blockHash ?? hash),
        transactionIndex: position?.transactionIndex ?? 0,
        outcome: await describeRun(each, describing, { isQuick: false, time: newTime() }),
      }
    },
  }
}

/** Asks for the tip that calls without a price are told of, while their state is loaded: it takes no round trip of its own. */
function askedEarly({ calls }: OutcomeRequest, suggestTip: SuggestTip): SuggestTip {
  const isNeeded = calls.some(({ gasPrice, maxFeePerGas }) => gasPrice === undefined && maxFeePerGas === undefined)
  if (!isNeeded) return suggestTip
  const asked = suggestTip()
  // What fails here is thrown where the tip is used.
  if (asked instanceof Promise) asked.catch(() => {})
  return () => asked
}

/** Counts what the answer has at least, before it is made. Throws `ANSWER_TOO_LARGE` or `IN_FLIGHT_LIMIT_EXCEEDED`. */
function createSizeCheck() {
  const bytes = currentBudget()?.bytes
  let expected = 0
  return {
    add({ run: { result } }: SequenceRun): void {
      const { frames, logs, output } = result
      expected += 2 * output.length
      for (const frame of frames.slice(0, shownLimit))
        expected += frameBytes + 2 * (frame.input.length + frame.output.length)
      for (const log of logs.slice(0, shownLimit)) expected += logBytes + 2 * log.data.length
      bytes?.expect(expected)
    },
  }
}

/** What a frame and a log take in an answer at least, beside their data. */
const frameBytes = 200
const logBytes = 100

function blockOf(block: BlockContext, hash: Word): OutcomeBlock {
  const { number, timestamp, coinbase, gasLimit, baseFee, prevRandao, blobBaseFee, chainId, fork } = block
  return { number, hash, timestamp, coinbase, gasLimit, baseFee, prevRandao, blobBaseFee, chainId, fork }
}
