import { z } from 'zod'
import { revert as revertMethod } from '../../rpc/methods/evm/revert.ts'
import { snapshot as snapshotMethod } from '../../rpc/methods/evm/snapshot.ts'
import { NetworkError } from '../../shared/errors.ts'
import { defineTool, exampleOf } from '../defineTool.ts'

export const revert = defineTool({
  name: 'revert',
  methods: [revertMethod],
  example: exampleOf(revertMethod, ([snapshot]) => ({ snapshot })),
  description: 'Every block, transaction and change since then is deleted, also those of other users.',
  effect: 'deletes',
  input: {
    snapshot: z
      .string()
      .regex(/^0x[\da-fA-F]{1,16}$/, { error: 'expected the id of a snapshot, such as 0x1' })
      .describe('what snapshot answered'),
  },
  async run(network, { snapshot }) {
    if (!(await network.call<boolean>('evm_revert', snapshot)))
      throw new NetworkError('INVALID_PARAMS', {
        field: 'snapshot',
        problem: `there is no snapshot ${snapshot}. describe_network lists them`,
      })
    const { head } = await network.call('dev_getNetworkInfo')
    return { fields: { revertedTo: snapshot, head: head.number, dashboard: network.link('/') } }
  },
})

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
