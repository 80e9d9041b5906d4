import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { postJsonRpc, type Random, startAnvil, startUnderstudy } from '@understudy/testkit'
import type { Hex } from 'viem'
import { type LiveChain, type Market, openMarket } from './market.ts'
import { startOwnChain } from './ownChain.ts'

export type Divergence = { hash: Hex; fields: string[]; kind: string }
export type Counts = { same: number; diverged: number; refused: number; unreproducible: number }

/** Funded accounts of its own: those of anvil trade on the live chain. */
const mnemonic = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const pageSize = 200

/** A live chain with a market, and a network that shadows it. */
export type Shadowing = {
  live: LiveChain
  market: Market
  url: string
  directory: string
  /** Resolves when the network is at the head of the live chain. */
  caughtUp(): Promise<void>
  counts(): Promise<Counts>
  divergences(): Promise<Divergence[]>
  stop(): Promise<void>
}

export async function startShadowing(
  random: Random,
  {
    args = [],
    anvilArgs = [],
    isOwn = false,
  }: { args?: readonly string[]; anvilArgs?: readonly string[]; isOwn?: boolean } = {},
): Promise<Shadowing> {
  const live = isOwn ? await startOwnChain() : await startAnvil({ args: ['--order', 'fifo', ...anvilArgs] })
  const directory = mkdtempSync(join(tmpdir(), 'understudy-shadow-'))
  try {
    const market = await openMarket(live, random)
    const fixed = ['--fork-url', live.url, '--shadow', '--data-dir', directory, '--mnemonic', mnemonic]
    const network = await startUnderstudy([...fixed, '--poll-interval', '50', '--log-level', 'error', ...args])
    const rpc = <T>(method: string, ...params: unknown[]) => postJsonRpc<T>(network.url, method, params)
    return {
      ...{ live, market, directory, url: network.url },
      async caughtUp() {
        const head = Number(await live.rpc<Hex>('eth_blockNumber'))
        while ((await rpc<{ base: { number: number } }>('dev_getNetworkInfo')).base.number < head) await setTimeout(20)
      },
      counts: async () => (await rpc<{ counts: Counts }>('dev_getShadow')).counts,
      async divergences() {
        const found: Divergence[] = []
        let cursor: string | null = null
        do {
          const query: object = { limit: pageSize, ...(cursor !== null && { cursor }) }
          const page: { items: Divergence[]; next: string | null } = await rpc('dev_getDivergences', query)
          found.push(...page.items)
          cursor = page.next
        } while (cursor !== null)
        return found
      },
      async stop() {
        await network.end()
        await live.stop()
        rmSync(directory, { recursive: true, force: true })
      },
    }
  } catch (error) {
    await live.stop()
    throw error
  }
}
