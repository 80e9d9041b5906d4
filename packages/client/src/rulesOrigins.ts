import type { Result } from './actions.ts'

/** How rules were found, in words, by what `dev_getNetworkInfo` calls it. */
export const rulesOrigins: Record<Result<'dev_getNetworkInfo'>['rules']['source'], string> = {
  option: 'by --hardfork',
  profile: 'by --chain-profile',
  schedule: "by the chain's schedule",
  probe: 'by what upstream can run',
  eth_config: 'by what upstream says of itself',
  header: "guessed by the block's header: name them with --hardfork if they are others",
  default: 'by default',
}
