import { z } from 'zod'
import { defineTool } from '../defineTool.ts'

export const snapshot = defineTool({
  name: 'snapshot',
  description: 'Takes a snapshot of the whole network, which revert goes back to. Do it before you try something.',
  effect: 'changes',
  input: { name: z.string().min(1).max(100).optional().describe('how the dashboard names it') },
  async run(network, { name }) {
    const id = await network.call<string>('evm_snapshot', ...(name === undefined ? [] : [name]))
    return {
      fields: {
        snapshot: id,
        name,
        next: `revert with snapshot ${id} goes back to it, once`,
        dashboard: network.link('/snapshots'),
      },
    }
  },
})
