import { BlockTag } from '../../codecs/blockTag.ts'
import { CallRequest } from '../../codecs/calls/callRequest.ts'
import { withDefault } from '../../codecs/optional.ts'
import { defineMethod } from '../../defineMethod.ts'
import { AlchemyAssetChanges, encodeAlchemyAssetChanges } from '../../encode/alchemy/assetChanges.ts'
import { exampleAssetChanges, exampleTransfer } from '../../encode/alchemy/examples.ts'
import { tracedCallErrors } from '../../errorGroups.ts'

export const simulateAssetChanges = defineMethod({
  name: 'alchemy_simulateAssetChanges',
  summary:
    "Returns the assets that a transaction would move and the approvals that it would leave, in the form of Alchemy's API. A transaction that fails is a result with an error. Nothing is stored.",
  role: 'read',
  params: { transaction: CallRequest, block: withDefault(BlockTag, 'latest') },
  result: AlchemyAssetChanges,
  fields: { transaction: 'The transaction, as of `eth_call`.' },
  errors: tracedCallErrors,
  example: { params: [exampleTransfer], result: exampleAssetChanges },
  async handler({ outcomes, info }, { transaction, block }) {
    const { results } = await outcomes.simulate({ calls: [transaction], block })
    const [encoded] = results.map((result) => encodeAlchemyAssetChanges(result, info().chain.currency))
    return encoded as NonNullable<typeof encoded>
  },
})
