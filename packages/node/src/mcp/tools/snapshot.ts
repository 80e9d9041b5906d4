import { z } from 'zod'
import { snapshot as snapshotMethod } from '../../rpc/methods/evm/snapshot.ts'
import { defineTool, exampleOf } from '../defineTool.ts'

export const snapshot = defineTool({
  name: 'snapshot',
  methods: [snapshotMethod],
  example: exampleOf(snapshotMethod, () => ({})),
  description: 'The tool revert goes back to it. Do it before you try something.',
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
