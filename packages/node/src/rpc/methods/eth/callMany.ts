import type { Done } from '@understudy/evm'
import { z } from 'zod'
import { hexFromBytes } from '../../../shared/hex.ts'
import { StateOverrides } from '../../codecs/calls/overrides.ts'
import { BundleContext, CallBundles } from '../../codecs/calls/simulate.ts'
import { optional } from '../../codecs/optional.ts'
import { HexBytes } from '../../codecs/wire.ts'
import { defineMethod } from '../../defineMethod.ts'
import { replayErrors } from '../../errorGroups.ts'

export const callMany = defineMethod({
  name: 'eth_callMany',
  summary:
    'Executes bundles of calls on the state after a block, or before one of its transactions, each call on the result of the previous one, and returns their data or errors.',
  role: 'read',
  params: { bundles: CallBundles, context: optional(BundleContext), stateOverrides: optional(StateOverrides) },
  result: z.array(z.array(z.object({ value: HexBytes.optional(), error: z.string().optional() }))),
  errors: [...replayErrors, 'LIMIT_EXCEEDED'],
  example: {
    params: [
      [{ transactions: [{ to: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', data: '0x313ce567' }] }],
      { blockNumber: 'latest' },
    ],
    result: [[{ value: '0x0000000000000000000000000000000000000000000000000000000000000012' }]],
  },
  async handler({ simulation, traces }, { bundles, context, stateOverrides }) {
    const { block, index } = context ?? { block: 'latest' }
    const at = index === undefined ? block : await traces.pointWithin(block, index, 'params[1].transactionIndex')
    const results = await simulation.callMany({ bundles, state: stateOverrides }, at)
    return results.map((ofBundle) => ofBundle.map(encodeCallOutcome))
  },
})

/** One line with the return data of a call, or the reason why it failed. */
function encodeCallOutcome({ status, halt, output }: Done) {
  if (status === 'success') return { value: hexFromBytes(output) }
  return { error: status === 'revert' ? 'execution reverted' : (halt ?? 'execution halted') }
}
