import * as viemChains from 'viem/chains'
import { expect, it } from 'vitest'
import { knownProfiles } from './profiles.ts'

/**
 * Milliseconds between blocks of chains that became faster since. Base: Denim, since 2026-11-05
 * (https://docs.base.org/base-chain/specs/upgrades/denim/overview); BNB Smart Chain: Fermi, since 2026-01-14
 * (https://docs.bnbchain.org/announce/fermi-bsc).
 */
const faster: Record<number, number> = { 8453: 200, 84532: 200, 56: 450, 97: 450 }

it('says of each chain what viem says of it', () => {
  const byId = new Map<number, (typeof viemChains)['mainnet']>()
  // Chains with preconfirmations share the id of the one that they show early.
  for (const chain of Object.values(viemChains) as (typeof viemChains)['mainnet'][])
    if (!byId.has(chain.id) || chain.name.length < (byId.get(chain.id)?.name.length ?? 0)) byId.set(chain.id, chain)
  for (const { chainId, name, currency, blockTimeMs, explorer } of knownProfiles) {
    const chain = byId.get(chainId)
    expect({ name, currency, blockTimeMs, explorer }).toEqual({
      name: chain?.name,
      currency: chain?.nativeCurrency,
      blockTimeMs: faster[chainId] ?? chain?.blockTime,
      explorer: chain?.blockExplorers?.default.url.replace(/\/$/, ''),
    })
  }
})
