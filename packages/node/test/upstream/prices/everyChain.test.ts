import type { Prices } from '@understudy/evm'
import type { Hex } from 'viem'
import { afterAll, expect, it } from 'vitest'
import { priceRows, tabledPrices } from '../../../src/ethereum/chains/prices/tabledPrices.ts'
import { knownProfiles } from '../../../src/ethereum/chains/profiles.ts'
import { createLogger } from '../../../src/shared/logger.ts'
import { startNetwork } from '../../startNetwork.ts'
import { chainOf, removeProfiles, rulesOf } from './housePrices.ts'

afterAll(removeProfiles)
const later = { number: 2n ** 60n, timestamp: 2n ** 60n }
const chains = knownProfiles.filter(({ chainId }) => priceRows.some(({ chainIds }) => chainIds.includes(chainId)))

it.each(chains.map(({ name, chainId, stack }) => ({ name, chainId, stack })))(
  'finds the prices of $name on a network that has them, and names what are no plain numbers',
  async ({ name, chainId, stack }) => {
    const { prices, odd } = tabledPrices(BigInt(chainId), later)
    const live = await chainOf({ chainId, name, stack, hardfork: 'osaka', prices }, { chainId: BigInt(chainId) })
    const warnings: { msg: string; chain?: string; odd?: string[] }[] = []
    const logger = createLogger('warn', { write: (line) => void warnings.push(JSON.parse(line)) })
    const network = await startNetwork({ forkUrls: [live.url] }, { logger })
    try {
      const rules = await rulesOf(network)
      const { precompiles = {}, ...numbers } = prices
      expect(rules.prices).toMatchObject(numbers)
      for (const [address, price] of Object.entries(precompiles))
        expect(rules.prices.precompiles[address as Hex], address).toEqual(price)
      expect(rules.pricing).toMatchObject({ source: 'measured', odd })
      const told = warnings.filter((warning) => warning.odd)
      expect(told.map((warning) => [warning.chain, warning.odd])).toEqual(odd.length > 0 ? [[name, odd]] : [])
      expect(await network.rpc('dev_checkFidelity', { blocks: 1 })).toMatchObject({ oddPrices: odd })
      const others = rules.pricing.different.filter(({ name }) => !isOf(prices, name))
      expect(others).toEqual([])
    } finally {
      await network.stop()
      await live.stop()
    }
  },
)

const isOf = (prices: Partial<Prices>, name: string) =>
  name in prices || Object.keys(prices.precompiles ?? {}).some((address) => name === `precompiles.${address}`)
