import { z } from 'zod'
import { defineTool } from '../defineTool.ts'

export const removeOverride = defineTool({
  name: 'remove_override',
  description: 'Ends the override of a function.',
  effect: 'changes',
  input: { override: z.string().max(100).describe('its id, from override_function or describe_network') },
  async run(network, { override }) {
    await network.call('dev_removeFunctionOverride', override)
    return { fields: { override, removed: true } }
  },
})
