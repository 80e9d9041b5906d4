import type { BlockContext, Done } from '@understudy/evm'
import { type CallOverrides, type CallRequest, messageFromRequest } from '../execution/execution.ts'
import { withMovedPrecompiles } from '../execution/movedPrecompiles.ts'
import { runLoaded } from '../execution/run.ts'
import { diffFromOverrides } from '../execution/stateOverrides.ts'
import type { ComputingTime } from '../shared/budget/computingTime.ts'
import type { Engine } from '../shared/engine.ts'
import { NetworkError } from '../shared/errors.ts'
import { Overlay } from '../state/overlay.ts'
import type { LoadingView } from '../state/view.ts'

/** Calls in separate blocks, in order. */
export type CallBundle = { calls: readonly CallRequest[]; block: CallOverrides['block'] }

export type ManyCallsRequest = {
  bundles: readonly CallBundle[]
  state: CallOverrides['state']
}

/** Runs calls, each on the state after the previous one. `gasLimit` and `time` apply to all of them together. */
export async function callMany(
  { bundles, state }: ManyCallsRequest,
  at: { block: BlockContext; view: LoadingView },
  { engine, gasLimit, time }: { engine: Engine; gasLimit: bigint; time: ComputingTime },
): Promise<Done[][]> {
  // State overrides of followed keys replace what is followed. They are below the writes to it, which a block discards.
  const overridden = new Overlay(at.view)
  if (state) overridden.apply(diffFromOverrides(state))
  const overlay = new Overlay(overridden)
  const start = state ? withMovedPrecompiles(at.block, state) : at.block
  let gasLeft = gasLimit
  let { number, timestamp } = start
  const results: Done[][] = []
  for (const bundle of bundles) {
    const context = { ...start, number, timestamp, ...bundle.block }
    const ofBundle: Done[] = []
    for (const request of bundle.calls) {
      if (gasLeft <= 0n)
        throw new NetworkError('LIMIT_EXCEEDED', { what: 'the calls use more gas together', limit: gasLimit })
      const message = messageFromRequest(request, context)
      const gas = request.gas !== undefined && request.gas < gasLeft ? request.gas : gasLeft
      const result = await runLoaded(engine, { ...message, gasLimit: gas }, context, overlay, { kind: 'call', time })
      overlay.apply(result.diff)
      gasLeft -= result.gasUsed
      ofBundle.push(result)
    }
    results.push(ofBundle)
    overlay.forgetFollowed()
    number = context.number + 1n
    timestamp = context.timestamp + 1n
  }
  return results
}
