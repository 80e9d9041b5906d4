import type { Result } from '@understudy/client/methods'
import type { CommandGroup } from './command.ts'

export const impersonate: CommandGroup = {
  name: 'impersonate',
  summary: 'let addresses send transactions without a signature',
  commands: [
    {
      usage: 'add <address>',
      summary: 'let an address send without a signature',
      run: (network, [address]) => network.call('dev_impersonateAccount', [address]),
    },
    {
      usage: 'remove <address>',
      summary: 'end that',
      run: (network, [address]) => network.call('dev_stopImpersonatingAccount', [address]),
    },
    {
      usage: 'list',
      summary: 'list impersonated addresses',
      run: (network) => network.call('dev_getImpersonatedAccounts'),
      show: (addresses: Result<'dev_getImpersonatedAccounts'>) => addresses.join('\n') || 'none',
    },
  ],
}
