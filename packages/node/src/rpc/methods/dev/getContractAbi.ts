import { Address } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { ContractObject, encodeContract } from '../../encode/workspaces/workspaceOverview.ts'
import { exampleOverview } from '../../workspaceExamples.ts'

export const getContractAbi = defineMethod({
  name: 'dev_getContractAbi',
  summary:
    'Tells the best ABI that is known of a contract: of an import or a workspace, else of block explorers, with that of what stands behind a proxy.',
  role: 'read',
  params: { address: Address },
  result: ContractObject,
  example: { params: [exampleOverview.address], result: exampleOverview.contract },
  handler: async ({ knowledge }, { address }) => encodeContract(await knowledge.describe(address)),
})
