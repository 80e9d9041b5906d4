import { z } from 'zod'
import { increaseTime as increaseTimeMethod } from '../../rpc/methods/evm/increaseTime.ts'
import { mine as mineMethod } from '../../rpc/methods/evm/mine.ts'
import { defineTool, exampleOf } from '../defineTool.ts'

export const mine = defineTool({
  name: 'mine',
  methods: [increaseTimeMethod],
  example: exampleOf(mineMethod, ([{ blocks }]) => ({ blocks })),
  description: 'Then seals blocks: for timelocks, vesting, interest.',
  effect: 'changes',
  input: {
    blocks: z.int().min(1).max(1000).default(1).describe('how many'),
    seconds: z.int().min(0).max(3_153_600_000).default(0).describe('how far to move the clock first'),
  },
  async run(network, { blocks, seconds }) {
    if (seconds > 0) await network.call('evm_increaseTime', seconds)
    await network.call('evm_mine', { blocks })
    const { head } = await network.call('dev_getNetworkInfo')
    return { fields: { head: head.number, time: head.timestamp, dashboard: network.link(`/block/${head.number}`) } }
  },
})
