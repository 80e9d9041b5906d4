import { z } from 'zod'
import { NetworkError } from '../../shared/errors.ts'
import { addressOf } from '../contracts.ts'
import { defineTool } from '../defineTool.ts'
import { Account, Contract } from '../inputs.ts'

export const follow = defineTool({
  name: 'follow',
  description:
    "Makes state always read the live chain's newest block, and deletes what was changed of it here: a whole account, some storage slots of it, or what a holder has of a token. With stop, what is here stays as it is then.",
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
