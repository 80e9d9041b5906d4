import { z } from 'zod'
import { BlockTag } from '../../codecs/blockTag.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { AlchemyAssetChanges, encodeAlchemyAssetChanges } from '../../encode/alchemy/assetChanges.ts'
import { exampleAssetChanges, exampleTransfer } from '../../encode/alchemy/examples.ts'
import { tracedCallErrors } from '../../errorGroups.ts'

export const simulateAssetChangesBundle = defineMethod({
  name: 'alchemy_simulateAssetChangesBundle',
  summary:
    "Returns the assets that each of several transactions would move and the approvals that it would leave, in the form of Alchemy's API. Each runs on the result of the previous one, also after one that fails. Nothing is stored.",
  role: 'read',
  params: { transactions: z.array(CallRequest), block: withDefault(BlockTag, 'latest') },
  result: z.array(AlchemyAssetChanges),
  fields: { transactions: 'The transactions, as of `eth_call`.' },
  errors: tracedCallErrors,
  example: { params: [[exampleTransfer]], result: [exampleAssetChanges] },
  async handler({ outcomes, info }, { transactions, block }) {
    const { results } = await outcomes.simulate({ calls: transactions, block })
    return results.map((result) => encodeAlchemyAssetChanges(result, info().chain.currency))
  },
})
