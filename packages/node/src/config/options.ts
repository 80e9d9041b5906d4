import { accountsOptions } from './options/accounts.ts'
import { chainOptions } from './options/chain.ts'
import { explorersOptions } from './options/explorers.ts'
import { forkOptions } from './options/fork.ts'
import { limitsOptions } from './options/limits.ts'
import { operationOptions } from './options/operation.ts'
import { serverOptions } from './options/server.ts'

export { testMnemonic } from './options/accounts.ts'

/** Every option, in the order of the reference. */
export const options = {
  ...forkOptions,
  ...chainOptions,
  ...accountsOptions,
  ...explorersOptions,
  ...serverOptions,
  ...limitsOptions,
  ...operationOptions,
}

export type OptionKey = keyof typeof options
