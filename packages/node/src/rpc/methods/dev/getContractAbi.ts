import { Address } from '../../codecs/hex.ts'
import { defineMethod } from '../../defineMethod.ts'
import { exampleOverview } from '../../encode/workspaces/workspaceExamples.ts'
import { ContractObject, encodeContract } from '../../encode/workspaces/workspaceOverview.ts'

export const getContractAbi = defineMethod({
  name: 'dev_getContractAbi',
  summary:
    "Returns the best known ABI of a contract, from an import, a workspace, the profile of the chain or a block explorer, including that of a proxy's implementation.",
  role: 'read',
  isSlow: true,
  params: { address: Address },
  result: ContractObject,
  fields: {
    address: 'The contract.',
  },
  example: { params: [exampleOverview.address], result: exampleOverview.contract },
  handler: async ({ knowledge }, { address }) => encodeContract(await knowledge.describe(address)),
})
