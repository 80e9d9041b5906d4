import type { RulesSource } from '../../ethereum/chains/foundRules.ts'
import { type ChainProfile, unknownChain } from '../../ethereum/chains/profile.ts'
import { knownProfile } from '../../ethereum/chains/profiles.ts'
import type { Header } from '../../ethereum/header.ts'
import { forkOfHeader, newestStableFork, requireRules, scheduleOf } from '../../ethereum/rules.ts'
import { NetworkError } from '../../shared/errors.ts'
import type { ChainRules, RulesNeeds, RulesOptions } from './chainRules.ts'
import { openLiveRules } from './liveRules.ts'

/** Finds the rules of a network. Throws `HARDFORK_UNKNOWN`, `CHAIN_NOT_EVM`. */
export async function openChainRules(options: RulesOptions, needs: RulesNeeds): Promise<ChainRules> {
  const { chainId } = options
  const { origin } = needs
  const known = options.profile ?? knownProfile(chainId)
  const refused = known?.stack === 'eravm' ? known.name : 'l1BatchNumber' in origin.raw ? `chain ${chainId}` : undefined
  if (refused !== undefined) throw new NetworkError('CHAIN_NOT_EVM', { name: refused })

  const fixed = options.hardfork ?? options.profile?.hardfork
  const profile = known ?? unknownChain(chainId)
  const { header } = origin
  const { l1Fee } = options
  if (fixed !== undefined)
    return fixedRules(fixed, options.hardfork === undefined ? 'profile' : 'option', profile, { l1Fee, header })
  const schedule = options.profile === undefined ? scheduleOf(chainId, header) : undefined
  if (options.forksNothing && !schedule) return fixedRules(newestStableFork, 'default', profile, { l1Fee, header })
  return openLiveRules(options, { known, schedule }, needs)
}

/** Rules that are named, or that only the header shows, for good. */
function fixedRules(
  hardfork: string,
  source: RulesSource,
  profile: ChainProfile,
  { l1Fee, header }: { l1Fee: boolean; header: Header },
): ChainRules {
  const { stack, fees } = profile
  const [optimism, arbitrum] = [stack === 'optimism', stack === 'arbitrum']
  const l1Fees = l1Fee && optimism
  const keepsDifficulty = arbitrum || isKept(header)
  const rules = { ...requireRules(hardfork), fees, l1Fees, optimism, arbitrum, keepsDifficulty }
  return {
    hardforks: () => rules,
    profile,
    schedule: undefined,
    at: () => ({ hardfork, source, since: undefined, disagreement: undefined }),
    follow: async () => {},
    refresh: async () => {},
  }
}

const isKept = (header: Header) => header.difficulty !== 0n && forkOfHeader(header) !== 'london'
