import type { Result } from '@understudy/client/methods'
import type { CommandGroup } from './command.ts'
import { formatTable } from './format.ts'

export const follow: CommandGroup = {
  name: 'follow',
  summary: 'make accounts, slots or token balances read the live chain',
  commands: [
    {
      usage: 'account <address>',
      summary: 'follow a whole account: balance, nonce, code and storage',
      run: (network, [address]) => network.call('dev_followAccount', [address]),
    },
    {
      usage: 'slots <address> <slots...>',
      summary: 'follow storage slots, by number (10) or by key (0x…)',
      run: (network, [address, slots]) => network.call('dev_followSlots', [address, slots]),
    },
    {
      usage: 'balance <token> <holder>',
      summary: 'follow the token balance of a holder',
      run: (network, [token, holder]) => network.call('dev_followTokenBalance', [token, holder]),
    },
    {
      usage: 'list',
      summary: 'list followed accounts and slots',
      run: (network) => network.call('dev_getFollowed'),
      show({ accounts, slots, tokenBalances = [] }: Result<'dev_getFollowed'>) {
        const balancesOf = (address: string, slot: string) =>
          tokenBalances
            .filter((balance) => balance.address === address && balance.slot === slot)
            .map(({ token, holder }) => `what ${holder} has of ${token}`)
            .join(', ')
        const rows = [
          ...accounts.map((address) => ({ address, what: 'the whole account', balance: '' })),
          ...Object.entries(slots).flatMap(([address, keys]) =>
            keys.map((what) => ({ address, what, balance: balancesOf(address, what) })),
          ),
        ]
        return formatTable(rows)
      },
    },
  ],
}

export const unfollow: CommandGroup = {
  name: 'unfollow',
  summary: 'end following',
  commands: [
    {
      usage: 'account <address>',
      summary: 'stop following an account',
      run: (network, [address]) => network.call('dev_unfollowAccount', [address]),
    },
    {
      usage: 'slots <address> <slots...>',
      summary: 'stop following storage slots',
      run: (network, [address, slots]) => network.call('dev_unfollowSlots', [address, slots]),
    },
    {
      usage: 'balance <token> <holder>',
      summary: 'stop following the token balance of a holder',
      run: (network, [token, holder]) => network.call('dev_unfollowTokenBalance', [token, holder]),
    },
  ],
}
