import { z } from 'zod'
import { followAccount as followAccountMethod } from '../../rpc/methods/dev/followAccount.ts'
import { followSlots as followSlotsMethod } from '../../rpc/methods/dev/followSlots.ts'
import { followTokenBalance as followTokenBalanceMethod } from '../../rpc/methods/dev/followTokenBalance.ts'
import { NetworkError } from '../../shared/errors.ts'
import { addressOf } from '../contracts.ts'
import { defineTool, exampleOf } from '../defineTool.ts'
import { Account, Contract } from '../inputs.ts'

export const follow = defineTool({
  name: 'follow',
  methods: [followAccountMethod, followSlotsMethod, followTokenBalanceMethod],
  example: exampleOf(followSlotsMethod, ([account, slots]) => ({ account, slots: slots.map(String) })),
  description:
    'Deletes what was changed of it here. Pass only account, or slots, too, or holder. With stop, what is here stays as it is then.',
  effect: 'deletes',
  input: {
    account: Contract.describe('an address, or the name of a contract with a workspace; the token if holder is given'),
    slots: z.array(z.string().max(80)).min(1).max(100).optional().describe('slots, as decimal or 0x-hex numbers'),
    holder: Account.optional().describe('follow what this account has of the token'),
    stop: z.boolean().default(false).describe('stop following'),
  },
  async run(network, { account, slots, holder, stop }) {
    if (slots && holder) throw new NetworkError('INVALID_PARAMS', { field: 'slots', problem: 'pass slots or holder' })
    const address = await addressOf(network, 'account', account)
    const answer = holder
      ? await network.call(stop ? 'dev_unfollowTokenBalance' : 'dev_followTokenBalance', address, holder)
      : slots
        ? await network.call(stop ? 'dev_unfollowSlots' : 'dev_followSlots', address, slots)
        : await network.call(stop ? 'dev_unfollowAccount' : 'dev_followAccount', address)
    return { fields: { ...answer, dashboard: network.link(`/address/${address}`) } }
  },
})
