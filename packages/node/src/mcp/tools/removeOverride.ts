import { z } from 'zod'
import { removeFunctionOverride as removeFunctionOverrideMethod } from '../../rpc/methods/dev/removeFunctionOverride.ts'
import { defineTool, exampleOf } from '../defineTool.ts'

export const removeOverride = defineTool({
  name: 'remove_override',
  methods: [removeFunctionOverrideMethod],
  example: exampleOf(removeFunctionOverrideMethod, ([override]) => ({ override })),
  description: 'The function returns what it did before.',
  effect: 'changes',
  input: { override: z.string().max(100).describe('its id, from override_function or describe_network') },
  async run(network, { override }) {
    await network.call('dev_removeFunctionOverride', override)
    return { fields: { override, removed: true } }
  },
})
