import type { Result } from './actions.ts'

type Rules = Result<'dev_getNetworkInfo'>['rules']

const origins: Record<Rules['source'], string> = {
  option: 'by --hardfork',
  profile: 'by --chain-profile',
  schedule: "by the chain's schedule",
  probe: 'by what upstream can run',
  eth_config: 'by what upstream says of itself',
  header: "guessed by the block's header: name them with --hardfork if they are others",
  default: 'by default',
}

const others: Record<NonNullable<Rules['disagreement']>['source'], string> = {
  header: 'the fields of its blocks are those of',
  eth_config: 'upstream names',
  schedule: "the chain's schedule names",
}

/** The hardfork of a network, how it was found, and what disagrees with it, in words. */
export function describeRules({
  hardfork,
  source,
  disagreement,
}: Pick<Rules, 'hardfork' | 'source' | 'disagreement'>): string {
  const other = disagreement ? `; ${others[disagreement.source]} ${disagreement.hardfork}` : ''
  return `${hardfork}, ${origins[source]}${other}`
}
