import { z } from 'zod'
import { getTrackedDataValues as getTrackedDataValuesMethod } from '../../rpc/methods/dev/getTrackedDataValues.ts'
import { defineTool, exampleOf } from '../defineTool.ts'

export const trackedValues = defineTool({
  name: 'tracked_values',
  example: exampleOf(getTrackedDataValuesMethod, ([tracked, { period }]) => ({ tracked, period })),
  description: 'The recorded values of a tracked item, newest first, in the smallest unit.',
  effect: 'reads',
  input: {
    tracked: z.string().max(100).describe('its id, from track or describe_network'),
    period: z.enum(['10min', '1h', '1d', '1w', '1m']).optional().describe('only the last ten minutes, hour, day, …'),
  },
  hasPages: true,
  async run(network, { tracked, period }) {
    const { values } = await network.call('dev_getTrackedDataValues', tracked, {
      limit: 1000,
      ...(period && { period }),
    })
    return {
      fields: { tracked, dashboard: network.link(`/tracked?ids=${encodeURIComponent(tracked)}`) },
      list: {
        name: 'values',
        items: values.reverse().map(({ value, blockNumber, timestamp, txHash }) => ({
          value,
          block: blockNumber,
          time: timestamp,
          transaction: txHash,
        })),
      },
    }
  },
})
