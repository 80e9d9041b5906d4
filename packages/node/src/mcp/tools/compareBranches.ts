import type { Result } from '@understudy/client/methods'
import { BranchIdOrName } from '../../rpc/codecs/names.ts'
import { compareBranches as compareBranchesMethod } from '../../rpc/methods/dev/compareBranches.ts'
import { defineTool, exampleOf } from '../defineTool.ts'

type Difference = Result<'dev_compareBranches'>['items'][number]

export const compareBranches = defineTool({
  name: 'compare_branches',
  methods: [compareBranchesMethod],
  example: exampleOf(compareBranchesMethod, ([a]) => ({ a })),
  description: 'Slots have the variables in them.',
  effect: 'reads',
  input: { a: BranchIdOrName.describe('a branch'), b: BranchIdOrName.optional().describe('default: the network') },
  hasPages: true,
  async run(network, { a, b = null }, { cursor }) {
    const compared = await network.call('dev_compareBranches', a, b, cursor === undefined ? {} : { cursor })
    const { blocks, overrides, overrideCount, items, next } = compared
    return {
      fields: {
        commonBlock: Number(blocks.common),
        head: { a: Number(blocks.a), b: Number(blocks.b) },
        overrideCount,
        overrides: overrides.map((pair) => ({ a: overrideText(pair.a), b: overrideText(pair.b) })),
      },
      list: { name: 'differences', items: items.map(short), next },
    }
  },
})

const short = ({ slot, variables, ...difference }: Difference) => ({
  ...difference,
  ...(slot !== null && { slot, variables }),
})

type Override = Result<'dev_compareBranches'>['overrides'][number]['a']

const overrideText = (override: Override) =>
  override && { contract: override.contractAddress, returns: override.returnValues, enabled: override.enabled }
