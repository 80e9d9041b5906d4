import { knownProfile } from '../../ethereum/chains/profiles.ts'
import { newestStableFork, scheduleOf } from '../../ethereum/rules.ts'
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

  const hardfork = options.hardfork ?? options.profile?.hardfork
  const source = options.hardfork === undefined ? 'profile' : 'option'
  const schedule = options.profile === undefined ? scheduleOf(chainId, origin.header) : undefined
  const named =
    hardfork !== undefined
      ? ({ hardfork, source } as const)
      : options.forksNothing && !schedule
        ? ({ hardfork: newestStableFork, source: 'default' } as const)
        : undefined
  return openLiveRules(options, { known, schedule: named ? undefined : schedule, named }, needs)
}
