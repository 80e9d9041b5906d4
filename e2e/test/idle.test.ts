import { expect, it } from 'vitest'
import { describeDashboard, see } from '../src/dashboard.ts'

/** What the network answers from memory. Reads of state are requests to the live chain once it has moved. */
const free = [
  'dev_getFollowed',
  'dev_getImpersonatedAccounts',
  'dev_getNetworkInfo',
  'dev_getUpstreamUsage',
  'eth_accounts',
  'eth_blockNumber',
  'eth_getBlockByNumber',
  'mock_getWipeSchedule',
  'txpool_content',
]

describeDashboard('an idle network page', (dashboard) => {
  const liveHead = async () =>
    (await dashboard.network.rpc<{ upstream: { head: number } }>('dev_getNetworkInfo')).upstream.head

  it('asks the live chain for nothing while only that moves', async () => {
    const page = await dashboard.open('/')
    const asked = new Set<string>()
    page.on('request', (request) => {
      const text = request.postData()
      if (!text) return
      for (const { method } of [JSON.parse(text)].flat()) asked.add(method)
    })
    await see(page, 'Forked at')
    const askedInThreeBlocks = async () => {
      const from = await liveHead()
      asked.clear()
      await expect.poll(liveHead, { timeout: 30_000 }).toBeGreaterThan(from + 3)
      return [...asked].filter((method) => !free.includes(method))
    }
    // On a busy machine, what the page asks for once arrives among the first blocks.
    await expect.poll(askedInThreeBlocks, { timeout: 80_000 }).toEqual([])
    expect(asked).toContain('eth_getBlockByNumber')
  }, 100_000)
})
